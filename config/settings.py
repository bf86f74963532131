"""All settings. Values that differ between machines come from the environment."""

from csp.constants import NONE, SELF

from config.env import (
    BASE_DIR,
    PATIENCE,
    address,
    database,
    env,
    hosts,
    mail,
    origins,
    positive,
    read_choice,
    secret,
    switch,
    time_zone,
    university,
    whole,
)
from surveys import thresholds

SECRET_KEY = secret("SECRET_KEY", shortest=50)
DEBUG = switch("DEBUG", default=False)
HTTPS = switch("HTTPS", default=True)
ALLOWED_HOSTS = hosts("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = origins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "config.apps.CandorConfig",
    "config.accounts.apps.CandorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "config.accounts.apps.AccountsConfig",
    "csp",
    "reversion",
    "surveys",
    "respondents",
    "estimation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.headers.PrivacyHeaders",
    "config.middleware.ResearcherContentPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Researchers' middleware skips respondents' pages: no session, cookie, account or
    # address.
    "config.middleware.ResearcherCompression",
    "config.middleware.ResearcherLanguage",
    "config.middleware.ResearcherSessions",
    "config.middleware.ResearcherCsrf",
    "config.middleware.ResearcherAuthentication",
    "config.middleware.ResearcherMessages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

# W003 looks for Django's CSRF middleware by name and does not find ResearcherCsrf. The
# other two ask for HSTS_SUBDOMAINS and HSTS_PRELOAD: only an administrator knows what
# else the domain serves.
HSTS_CHECKS = ["security.W005", "security.W021"]
SILENCED_SYSTEM_CHECKS = ["security.W003", *HSTS_CHECKS]

ROOT_URLCONF = "config.urls"
RESPONDENTS_PATH = "/s/"
PUBLISHED_PATH = "/r/"
PROGRAMS_PATH = "/api/"
# Below these paths: no session, no cookie, no cache, no log of visitors.
PATHS_FOR_RESPONDENTS = (
    RESPONDENTS_PATH,
    PUBLISHED_PATH,
    PROGRAMS_PATH,
    "/how-it-works/",
    "/what-we-store/",
    "/leave/",
    "/health/",
)
# Whether the process that serves respondents also seals responses and closes surveys.
# Off where a separate service does both.
SEALS = True
# Limit for the sum over one respondent's scrambled answers in a survey. Above it, a
# survey opens only with a reason, which respondents read on the first page.
MAX_TOTAL_EPSILON = positive("MAX_TOTAL_EPSILON", default="5")
# Surveys with fewer responses have no results, files or public pages.
LEAST_RESPONSES = whole(
    "LEAST_RESPONSES",
    default=thresholds.LEAST_RESPONSES,
    lowest=thresholds.MIN_LEAST_RESPONSES,
    highest=thresholds.MAX_LEAST_RESPONSES,
)
# Whether the root shows the landing page or redirects to the researchers' login.
LANDING_PAGE = switch("LANDING_PAGE", default=True)
LEAVE_TO = address("LEAVE_TO", default="https://www.wikipedia.org/")
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.site.add_frame",
            ],
        },
    },
]

FORM_RENDERER = "config.inputs.Written"

DATABASES = {"default": database()}
DATABASE_PATIENCE = PATIENCE
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTHENTICATION_BACKENDS = ["config.accounts.backend.ResearcherBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# In the database, for all workers and machines. Each write deletes expired rows and no
# others. By default Django keeps 300 rows and deletes others although they are valid.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "candor_cache",
        "OPTIONS": {"MAX_ENTRIES": 0, "CULL_FREQUENCY": 10**9},
    },
    # Fragments of pages, in the memory of each worker, so that they need no query.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    },
}

LOGIN_URL, LOGIN_REDIRECT_URL = "account_login", "admin:index"
ACCOUNT_LOGOUT_REDIRECT_URL = LOGIN_URL
ACCOUNT_ADAPTER = "config.accounts.adapter.ResearcherAdapter"
ACCOUNT_FORMS = {
    "login": "config.accounts.forms.PasswordForm",
    "reauthenticate": "config.accounts.forms.ConfirmPasswordForm",
}
# A superuser or a colleague entered the addresses of accounts.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Other limits would count by address and store it: docs/decisions/0008.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/15m/key",
    "reauthenticate": None,
}

# A second factor: optional for each researcher, or required of all.
SECOND_FACTOR = read_choice("SECOND_FACTOR", "optional", "required")
MFA_ADAPTER = "config.accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "config.accounts.forms.CodeForm",
    "reauthenticate": "config.accounts.forms.ConfirmCodeForm",
    "activate_totp": "config.accounts.forms.SetUpForm",
    "add_webauthn": "config.accounts.forms.PasskeyForm",
}
MFA_TOTP_ISSUER = "Candor"
MFA_TOTP_TOLERANCE = 1
MFA_RECOVERY_CODE_COUNT, MFA_RECOVERY_CODE_DIGITS = 8, 16
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RATE_LIMITS = {"webauthn_login": None}

# University login by OpenID Connect. It begins with a link: for a form, browsers would
# apply "form-action" to every host of its redirects.
SOCIALACCOUNT_ADAPTER = "config.accounts.adapter.UniversityAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"APPS": university(), "OAUTH_PKCE_ENABLED": True}
}
SOCIALACCOUNT_LOGIN_ON_GET = True

PASSWORD_RESET_TIMEOUT = 60 * 60

MAIL = mail()
SENDS_MAIL = env.str("EMAIL_URL", default="") != ""
EMAIL_BACKEND = MAIL["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = MAIL["EMAIL_HOST"], MAIL["EMAIL_PORT"]
EMAIL_HOST_USER = MAIL["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = MAIL.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = MAIL.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = MAIL["DEFAULT_FROM_EMAIL"]

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
]
# Languages with a complete translation of the researchers' pages.
LANGUAGES_OF_RESEARCHERS = ["en", "de"]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = time_zone("TIME_ZONE")
USE_TZ = True

STATIC_URL = "static/"
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Files of field studies may contain ids: they stay in memory and reach no disk.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
# A submission is about 200 bytes, a researcher's form some kilobytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# A question's form posts some 20 inputs, those of every family; a survey has up to 200.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

RESEARCHERS_PATH = "/admin/"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = RESEARCHERS_PATH
CSRF_FAILURE_VIEW = "config.errors.report_csrf_failure"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^health/$"]  # monitors ask on this machine, without HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
# Browsers then have the domain in a list; removal from it takes months.
SECURE_HSTS_PRELOAD = switch("HSTS_PRELOAD", default=False)
# Other hosts of the domain may have no HTTPS. The preload list requires them.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and (
    switch("HSTS_SUBDOMAINS", default=False) or SECURE_HSTS_PRELOAD
)
BEHIND_PROXY = switch("BEHIND_PROXY", default=False)
ADDRESS = env.str("ADDRESS", default="127.0.0.1")
PORT = env.str("PORT", default="8000")
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# "no-referrer" would make browsers send "Origin: null" with the admin's forms;
# config.headers sets it on the respondents' pages, which have no CSRF cookie.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # the icon of respondents' pages
        "connect-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"respondents": {"()": "config.logs.RespondentRoutes"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "filters": ["respondents"]}
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}
