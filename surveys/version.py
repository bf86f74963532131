import tomllib
from functools import cache
from pathlib import Path


@cache
def software_version() -> str:
    """Return the version that pyproject.toml states."""
    root = Path(__file__).resolve().parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return f"{project['name']} {project['version']}"
