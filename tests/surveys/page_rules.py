"""Which role each page of the admin takes, and what it then answers.

A page without a rule fails tests/surveys/test_access.py.
"""

from dataclasses import dataclass

from surveys.models import Role

LOGIN, NOT_FOUND, FORBIDDEN, REDIRECT, OK = "login", 404, 403, 302, 200
BAD_REQUEST = 400
NO_SUCH_METHOD = 405


@dataclass(frozen=True)
class Rule:
    """Which role a page of a survey takes, and what it then answers.

    Anyone who has a smaller role is refused; without a role there is no such survey.
    """

    get: int = OK
    post: int = REDIRECT
    reads: Role = Role.VIEWER
    """The lowest role that may GET the page."""
    writes: Role = Role.OWNER
    """The lowest role that may POST to the page."""
    opened: bool = True
    closed: bool = False
    is_tried: bool = False
    access: str = "link"
    is_read_only: bool = False
    is_deleted: bool = False
    """Whether the page is about a deleted draft."""
    compares: bool = False
    """Whether the page needs a second survey with the same question."""

    def expected(self, method, role):
        if self.is_read_only and method == "post":
            # Said before anyone has looked whose survey it is, or if there is one.
            return NO_SUCH_METHOD
        if role is None:
            return NOT_FOUND
        needed = self.reads if method == "get" else self.writes
        return getattr(self, method) if role.includes(needed) else FORBIDDEN


SURVEY_PAGES = {
    "surveys_survey_change": Rule(post=OK, writes=Role.EDITOR, opened=False),
    "surveys_survey_delete": Rule(reads=Role.OWNER, opened=False),
    "surveys_survey_history": Rule(post=OK, writes=Role.VIEWER),
    "surveys_survey_open": Rule(reads=Role.EDITOR, opened=False),
    "surveys_survey_close": Rule(reads=Role.OWNER),
    "surveys_survey_links": Rule(
        post=OK, reads=Role.EDITOR, writes=Role.EDITOR, access="invitation"
    ),
    "surveys_survey_share": Rule(is_read_only=True),
    "surveys_survey_code": Rule(is_read_only=True),
    "surveys_survey_poster": Rule(is_read_only=True),
    "surveys_survey_invitation": Rule(is_read_only=True),
    "estimation_monitor": Rule(is_read_only=True),
    "estimation_monitor_numbers": Rule(is_read_only=True),
    "surveys_survey_period": Rule(reads=Role.EDITOR, writes=Role.EDITOR),
    "surveys_survey_duplicate": Rule(writes=Role.VIEWER),
    "surveys_survey_definition": Rule(is_read_only=True),
    "surveys_survey_people": Rule(post=OK),
    "surveys_survey_translations": Rule(writes=Role.EDITOR, opened=False),
    # POST names no state.
    "surveys_survey_states": Rule(
        post=NOT_FOUND, reads=Role.EDITOR, writes=Role.EDITOR, opened=False
    ),
    "surveys_survey_undelete": Rule(
        get=REDIRECT, reads=Role.OWNER, opened=False, is_deleted=True
    ),
    "surveys_survey_invite": Rule(post=OK, reads=Role.OWNER),
    "surveys_survey_archive": Rule(reads=Role.OWNER),
    "surveys_survey_purge": Rule(post=OK, reads=Role.OWNER, closed=True),
    # This survey is not sealed: distribution/test_sealed_reports.py has more.
    "surveys_survey_sealed": Rule(get=REDIRECT, reads=Role.OWNER, closed=True),
    "surveys_survey_batch": Rule(
        get=NOT_FOUND, reads=Role.OWNER, closed=True, is_read_only=True
    ),
    "surveys_survey_try": Rule(writes=Role.EDITOR, opened=False),
    "surveys_survey_try_page": Rule(
        post=NO_SUCH_METHOD, writes=Role.VIEWER, opened=False, is_tried=True
    ),
    # Mode browser has its thanks in its page.
    "surveys_survey_try_thanks": Rule(
        get=NOT_FOUND, opened=False, is_read_only=True, is_tried=True
    ),
    "surveys_survey_try_code": Rule(opened=False, is_read_only=True, is_tried=True),
    "estimation_simulate": Rule(
        post=OK, reads=Role.EDITOR, writes=Role.EDITOR, opened=False
    ),
    "estimation_results": Rule(is_read_only=True),
    "estimation_chart": Rule(is_read_only=True),
    "estimation_overview": Rule(is_read_only=True),
    # Other surveys ask the same question: there is something to compare it with. But a
    # chart needs its two.
    "estimation_compare": Rule(is_read_only=True, compares=True),
    "estimation_compare_chart": Rule(get=BAD_REQUEST, is_read_only=True),
    "estimation_compare_csv": Rule(get=BAD_REQUEST, is_read_only=True),
    # Nothing is asked directly, so that there is nothing to weight by.
    "estimation_weighted": Rule(get=REDIRECT, writes=Role.VIEWER),
    "estimation_weighted_csv": Rule(get=NOT_FOUND, is_read_only=True),
    "estimation_regression": Rule(get=REDIRECT, is_read_only=True),
    "estimation_regression_csv": Rule(get=BAD_REQUEST, is_read_only=True),
    # One response is too few to publish: publishing/test_publishing_page.py has more.
    "estimation_publish": Rule(post=OK, reads=Role.EDITOR, closed=True),
    "estimation_publish_count": Rule(get=REDIRECT, reads=Role.OWNER, closed=True),
    "estimation_publish_switch": Rule(get=REDIRECT, reads=Role.OWNER, closed=True),
    "estimation_publish_preview": Rule(
        get=REDIRECT, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_overview": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_chart": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_csv": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_csv": Rule(is_read_only=True),
    "estimation_export": Rule(is_read_only=True),
    "estimation_export_all": Rule(is_read_only=True),
    # Only for surveys by hand: exports/test_xlsform.py has more.
    "estimation_xlsform": Rule(get=NOT_FOUND, is_read_only=True),
    "estimation_export_file": Rule(is_read_only=True),
    "estimation_tokens": Rule(post=OK, reads=Role.OWNER),
    "estimation_export_reports": Rule(is_read_only=True, reads=Role.EDITOR),
}
FILES = {
    "estimation_export_file": "codebook.csv",
    "estimation_export_reports": "reports.csv",
}
FOR_STAFF = {
    "index": {},
    "app_list": {"app_label": "surveys"},
    "jsi18n": {},
    "password_change": {},
    "password_change_done": {},
    "surveys_survey_changelist": {},
    "surveys_survey_deleted": {},
    "surveys_survey_add": {},
    "estimation_example": {},
    "estimation_import": {},
    "estimation_regression_file": {},
    "surveys_survey_from_file": {},
    "surveys_survey_studies": {},
    "surveys_survey_library": {},
    "estimation_plan": {},
    "estimation_plan_chart": {},
}
QUERIES = {"estimation_plan_chart": "?question=family%3Dcoin"}
FOR_SUPERUSERS = {
    "auth_user_add": set(),
    "auth_user_change": {"object_id"},
    "auth_user_changelist": set(),
    "auth_user_delete": {"object_id"},
    "auth_user_history": {"object_id"},
    "auth_user_password_change": {"id"},
    "auth_user_second_factor": {"user_id"},
}
# An invitation is its addressee's alone: tests/config/accounts/test_invite.py.
WITHOUT_AN_OBJECT = {
    "login", "logout", "autocomplete", "surveys_survey_invited", "surveys_survey_texts"
}  # fmt: skip
# Django's redirect of an old kind of address, and its page for everything unknown.
UNNAMED = {"<path:object_id>/", "(?P<url>.*)$"}
