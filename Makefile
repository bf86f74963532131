# make run    starts Candor with a demo survey; PORT=8001 uses another port
# make check  runs what needs no browser, server or PostgreSQL, in some three minutes
# make test   runs every check, as the continuous integration does
# make coverage  the same, and lists lines that no test runs
# make check-exports   opens exported files with R and LibreOffice
# make check-spark     counts archives with Spark too, which it installs with Java
# make check-deployment  validates deploy/debian with systemd, nginx and Caddy; as root
# make check-installation  follows the guides in a small Debian; as root
# make check-container  builds the container image and runs it behind Caddy; as root
# make release-check   before a release: known weaknesses, bill of materials, licences
# make pictures  takes the pictures of the documents
# make docs   builds the library's documentation in var/docs; a broken reference fails
# make lock   compiles requirements*.txt; UPGRADE=--upgrade takes newer versions
# Needs Python 3.11 or newer and make, on Linux or macOS.

PYTHON ?= python3
BIN := .venv/bin

.DELETE_ON_ERROR:
.PHONY: run lint docs check collected quick needed storage suite baseline test coverage \
	check-exports check-spark check-deployment check-installation \
	check-container pictures release-check lock

# Keep compiled Python files even if the shell disables them: otherwise each test process
# compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

# GNU make 3.81, which macOS ships, cannot keep the lines of parallel jobs whole.
PARALLEL := --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=line)

run: .venv/installed .env
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py demo
	@exec scripts/serve

# Settings of a deployment, for `check --deploy`.
PRODUCTION := ENV_FILE=/dev/null DATABASE_URL=sqlite://:memory: \
	ALLOWED_HOSTS=survey.example HTTPS=on DEBUG=off \
	SECRET_KEY=0123456789-only-for-the-checks-abcdefghijklmnopqrstuvwxyz

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint templates --check --lint
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.check_prose
	$(BIN)/mypy candor surveys respondents estimation config
	@$(MAKE) --no-print-directory docs
	$(PRODUCTION) $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

docs: .venv/installed-dev
	$(BIN)/python -m sphinx --quiet --fresh-env --fail-on-warning --builder html \
		docs/library var/docs

check: .venv/installed-dev
	@$(MAKE) $(PARALLEL) --jobs 2 lint quick

quick: .venv/installed-dev
	env -u DATABASE_URL $(BIN)/pytest --numprocesses 2 --dist worksteal \
		-m 'not browser and not server'

needed:
	@scripts/need chromium sh -c 'command -v chromium || command -v chromium-browser'
	@! apt-cache show chromium-headless-shell >/dev/null 2>&1 || \
		scripts/need chromium-headless-shell command -v chromium-headless-shell || true
	@scripts/need curl command -v curl
	@scripts/need openssl command -v openssl
	@scripts/need firefox-esr sh -c 'command -v firefox-esr || command -v firefox'
	@scripts/need postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb || command -v initdb'

# Compiles the tests once, so that later processes do not all do so at the same time. The
# later processes report errors.
collected: .venv/installed-dev
	@env -u DATABASE_URL $(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

# Temporary files are in memory if there is room: databases wait for the disk at each
# commit, and no test depends on the disk itself.
MEMORY := $(shell df --output=avail /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 4000000 \
	{ print "PYTEST_DEBUG_TEMPROOT=/dev/shm" }')

# In one process, because a test reads its traces on the disk. Collects only files with
# the marker.
storage: collected
	env $(MEMORY) scripts/with_postgresql $(BIN)/pytest -m storage $(COVER) \
		$$(grep --recursive --files-with-matches --include='test_*.py' 'mark\.storage' tests | sort)

# Browser tests often wait: six processes take 18 s less than four on two cores.
suite: collected
	env -u DATABASE_URL $(MEMORY) $(BIN)/pytest --numprocesses 6 --dist worksteal $(COVER)

# Results must not depend on the processor. Fits and weights use the most linear algebra.
baseline: collected
	env -u DATABASE_URL $(BIN)/python -m scripts.baseline_processor $(BIN)/pytest \
		tests/candor/golden tests/candor/regression tests/candor/weighting

test: needed .venv/installed-dev
	@$(MAKE) $(PARALLEL) --jobs 3 lint storage suite \
		baseline COVER='$(COVER)'

# Measuring coverage takes two thirds more time.
coverage: COVER := --cov --cov-append
coverage: test

check-exports: .venv/installed-dev
	@scripts/need r-base-core sh -c 'command -v Rscript'
	@scripts/need libreoffice-calc-nogui sh -c 'command -v soffice'
	env -u DATABASE_URL $(BIN)/pytest -m r tests/estimation/exports
	$(BIN)/python -m scripts.check_exports

check-spark:
	@scripts/need default-jre-headless sh -c 'command -v java'
	$(PYTHON) -m venv var/spark
	var/spark/bin/pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement requirements-spark.txt
	var/spark/bin/python -m scripts.check_spark

check-deployment: .venv/installed-dev
	@scripts/need systemd sh -c 'command -v systemd-analyze'
	@scripts/need nginx sh -c 'command -v nginx'
	@scripts/need caddy sh -c 'command -v caddy'
	@scripts/need openssl command -v openssl
	$(BIN)/python -m scripts.check_deployment

# Takes some minutes and needs a network. Downloads are stored in var/installation.
check-installation: .venv/installed-dev
	@scripts/need debootstrap sh -c 'command -v debootstrap'
	@scripts/need iproute2 sh -c 'command -v ip'
	$(BIN)/python -m scripts.check_installation

# The image and its base are stored in var/. Debian's service for Caddy is disabled.
check-container: .venv/installed-dev
	@scripts/need debootstrap sh -c 'command -v debootstrap'
	@scripts/need buildah sh -c 'command -v buildah'
	@scripts/need iproute2 sh -c 'command -v ip'
	@scripts/need postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb'
	@command -v caddy >/dev/null || { scripts/need caddy command -v caddy && \
		{ systemctl disable --now caddy 2>/dev/null || true; }; }
	$(BIN)/python -m scripts.check_container

# Without --strict, pip-audit finds nothing if the list of vulnerabilities is unreachable.
release-check: .venv/installed
	$(PYTHON) -m venv var/release
	var/release/bin/pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement requirements-release.txt
	var/release/bin/cyclonedx-py requirements --pyproject pyproject.toml \
		--output-reproducible --output-file var/candor.cdx.json requirements.txt
	$(BIN)/python -m scripts.licences | diff docs/reference/licences.md -
	var/release/bin/pip-audit --require-hashes --disable-pip --strict \
		--progress-spinner off --requirement requirements.txt

pictures: .venv/installed-dev
	@scripts/need chromium sh -c 'command -v chromium || command -v chromium-browser'
	$(BIN)/python -m scripts.take_pictures

lock: | .venv/bin/pip
	$(BIN)/pip install --quiet --upgrade --target var/uv uv
	$(COMPILE) pyproject.toml --group server --output-file requirements.txt
	$(COMPILE) pyproject.toml --group archives --constraints requirements.txt \
		--output-file requirements-archives.txt
	$(COMPILE) pyproject.toml --group spark --constraints requirements-archives.txt \
		--output-file requirements-spark.txt
	$(COMPILE) --group audit --output-file requirements-audit.txt
	$(COMPILE) pyproject.toml --group dev \
		--constraints requirements-archives.txt --constraints requirements-audit.txt \
		--output-file requirements-dev.txt
	$(COMPILE) --group release --output-file requirements-release.txt

# Extras stay in the files: pip rejects `coverage[toml]` next to a pinned `coverage` as
# soon as a newer version is released.
COMPILE = var/uv/bin/uv pip compile --quiet $(UPGRADE) --generate-hashes --no-strip-extras \
	--no-emit-index-url --no-header --universal --python-version 3.11

INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes

.venv/installed: requirements.txt | .venv/bin/pip
	$(INSTALL) --requirement requirements.txt
	@touch $@

# Compiled on first import: the tests load a third of the modules.
.venv/installed-dev: requirements-dev.txt | .venv/bin/pip
	$(INSTALL) --no-compile --requirement requirements-dev.txt
	@touch $@

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Candor needs Python 3.11 or newer: make PYTHON=python3.12 ...' >&2; exit 1; }
	@scripts/need python3-venv $(PYTHON) -c 'import ensurepip, venv'
	$(PYTHON) -m venv .venv

.env:
	@echo 'Writing .env: a secret key of your own, for this machine only'
	@umask 077 && key=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(50))') && \
		printf 'SECRET_KEY=%s\nALLOWED_HOSTS=127.0.0.1,localhost\nHTTPS=off\n' "$$key" > $@
