"""Who may answer a survey, and completion codes for panels."""

from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.utils.translation import gettext_lazy

MOST_LINKS_AT_ONCE = 10_000
"""One-time links that one request makes."""


class Recruitment(models.Model):
    class Access(models.TextChoices):
        LINK = "link", gettext_lazy("Anyone with the link")
        INVITATION = "invitation", gettext_lazy("One-time links that you hand out")

    access = models.CharField(
        gettext_lazy("who may answer"),
        max_length=10,
        choices=Access,
        default=Access.LINK,
    )
    least_links = models.PositiveIntegerField(
        gettext_lazy("number of one-time links"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_LINKS_AT_ONCE)],
        help_text=gettext_lazy(
            "Made at once after opening. Respondents read the number."
        ),
    )
    completion_code = models.CharField(
        gettext_lazy("completion code"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy("The same for all, shown after sending."),
    )
    completion_link = models.CharField(
        gettext_lazy("completion link"),
        max_length=500,
        blank=True,
        validators=[URLValidator(["https"])],
        help_text=gettext_lazy(
            "A button on the last page. The panel sees who finished, but no answers."
        ),
    )
    screened_code = models.CharField(
        gettext_lazy("code after screening"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy("Shown to respondents who are screened out."),
    )
    screened_link = models.CharField(
        gettext_lazy("link after screening"),
        max_length=500,
        blank=True,
        validators=[URLValidator(["https"])],
        help_text=gettext_lazy(
            "A button for them. The panel sees who was screened out."
        ),
    )

    class Meta:
        abstract = True

    @property
    def is_by_invitation(self) -> bool:
        return self.access == self.Access.INVITATION
