"""Synonyms for the search in the help, by document."""

KEYWORDS = {
    "administrators/accounts#a-second-factor": "2FA, MFA, two-factor",
    "administrators/deployment#backups": "backup",
    "administrators/deployment": "docker, container, kubernetes, hosting",
    "administrators/accounts#university-login": "SSO, OIDC, SAML",
    "background/ethics-and-law": "ethics, IRB, review board",
    "background/ethics-and-law#is-it-personal-data": "anonymous, personal data, GDPR",
    "background/randomised-response": "randomized response, RRT",
    "privacy/privacy#what-is-not-promised": "limitation, risk",
    "reference/statistics#census": "finite population",
    "researchers/authoring#panels": "prolific, mturk, completion code, redirect",
    "researchers/authoring#random-order": "shuffle, randomize order",
    "researchers/authoring#several-languages": "translate, multilingual",
    "researchers/authoring#skip-logic-and-screening": "branching, filter, routing",
    "researchers/authoring#try-it-before-opening": "pilot, pretest, dry run",
    "researchers/differences": "p value, significance, t-test, chi-square, crosstab",
    "researchers/draws#tick-all-that-apply": (
        "checkbox, checkboxes, multiple choice, multiple answers"
    ),
    "researchers/fieldwork#share": "reminder, remind, recruit, distribute, QR code",
    "researchers/planning#planned-analysis": "preregistration, pre-registration",
    "researchers/planning#power-a-share-beyond-a-bound": "power",
    "researchers/programs": "API, REST, endpoint, dashboard",
    "researchers/regression": "odds ratio, covariate, logistic",
    "researchers/scales": "likert, rating, slider, average",
    "researchers/weights": "raking, calibration, poststratification, nonresponse",
    "researchers/working-together#deleting-all-reports": "delete data, erase data",
    "researchers/working-together#who-may-do-what": "permission, access rights",
    "start/choosing-protection#how-many-people": "sample size, how many people",
    "start/glossary#epsilon": "privacy budget, privacy loss",
    "start/troubles#a-person-wants-an-answer-deleted": (
        "delete answer, delete response, withdraw, withdrawal, right to erasure"
    ),
    "start/troubles#locked-out": "cannot log in, sign in",
    "start/troubles#what-is-not-possible-and-why": (
        "reopen, logo, branding, theme, qualtrics, limesurvey, google forms, "
        "open text, free text, upload file, save and continue, embed, iframe, webhook"
    ),
}
"""A phrase matches a query that contains all its words, in any form."""
