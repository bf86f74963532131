"""Which surveys a researcher sees, and which of them lists show."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.utils.text import slugify

if TYPE_CHECKING:
    from surveys.models.survey import Survey  # noqa: F401  (named below, as text)


class SurveyQuerySet(models.QuerySet["Survey"]):
    def for_user(self, user: AbstractBaseUser | AnonymousUser) -> "SurveyQuerySet":
        """Return the surveys in which `user` has a role; all for a superuser."""
        if not user.is_active or not getattr(user, "is_staff", False):
            return self.none()
        if getattr(user, "is_superuser", False):
            return self
        # Looked up apart: a join would return a survey once for each of its members.
        shared = self.model._meta.get_field("memberships").related_model
        mine = cast("Any", shared)._default_manager.filter(user=user.pk)
        surveys = mine.values("survey")
        return self.filter(
            models.Q(owner=user.pk)
            | models.Q(pk__in=surveys)
            | models.Q(rehearsal_of__in=surveys)
        )

    def listed(self) -> "SurveyQuerySet":
        """Return the surveys that lists show: a rehearsal belongs to its draft."""
        return self.filter(rehearsal_of=None)

    def free_slug(self, title: str) -> str:
        """Return an address that no survey has, where it can from the title."""
        longest = self.model._meta.get_field("slug").max_length or 0
        base = slugify(title) or "survey"
        taken = set(
            self.filter(slug__startswith=base[: longest // 2]).values_list(
                "slug", flat=True
            )
        )
        slug, number = base[:longest], 1
        while slug in taken:
            number += 1
            ending = f"-{number}"
            slug = base[: longest - len(ending)] + ending
        return slug
