"""The fast path for the common request: a survey's page, and a submission from it.

Benefit, measured on two cores with `benchmarks/collection.py` (SQLite): at 64 clients,
several times the submissions per second of Django alone. Most requests for the page do
not reach Django, and one disk sync stores a whole batch.

Cost: the modules `server.py`, `recent_answers.py` and `group_commit.py`; and a page, or
the last day that it shows, may be one second out of date. Nothing else differs. Any
request that does not match a submission of our own script exactly goes to Django
unchanged, and repeated answers are Django's own. Without this package Django answers
every request, as it does behind another server. See
docs/decisions/0017-in-front-of-the-framework.md for measurements.
"""
