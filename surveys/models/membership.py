"""Roles of collaborators, in addition to the owner."""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.translation import gettext_lazy

from surveys.models.survey import Survey
from surveys.models.visitor import Visitor


class Role(models.TextChoices):
    """A role in a survey; it includes the rights of the roles below it."""

    OWNER = "owner", gettext_lazy("Owner")
    EDITOR = "editor", gettext_lazy("Editor")
    VIEWER = "viewer", gettext_lazy("Viewer")

    def includes(self, other: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) <= ranks.index(other)


MEMBER_ROLES = [(role.value, role.label) for role in (Role.EDITOR, Role.VIEWER)]


class MembershipQuerySet(models.QuerySet["Membership"]):
    @transaction.atomic
    def hand_over(self, survey: Survey, successor: User) -> User:
        """Make `successor` the owner; return the former one, who becomes an editor."""
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        former = locked.owner
        self.filter(survey=survey, user=successor).delete()
        # The owner of its rehearsal changes with it.
        both = models.Q(pk=survey.pk) | models.Q(rehearsal_of=survey)
        Survey.objects.filter(both).update(owner=successor)
        self.update_or_create(
            survey=survey, user=former, defaults={"role": Role.EDITOR.value}
        )
        return former


class Membership(models.Model):
    """A colleague's role; the owner has no membership."""

    survey = models.ForeignKey(
        Survey, on_delete=models.CASCADE, related_name="memberships"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    role = models.CharField(max_length=10, choices=MEMBER_ROLES)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["user__username"]
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "user"], name="one_role_in_a_survey"
            )
        ]

    def __str__(self) -> str:
        # The admin lists it before a user is deleted.
        return f"{self.survey}: {self.user}, {self.get_role_display()}"


class Invitee(models.Model):
    """An invitation to a role that is not accepted yet; it gives no rights.

    It names only an e-mail address: the inviting researcher does not learn whether
    there is an account with this address.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="invited")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=MEMBER_ROLES)

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "email"], name="one_invitation_to_a_survey"
            )
        ]

    def __str__(self) -> str:
        return f"{self.email}: {self.get_role_display()}"

    @transaction.atomic
    def accept(self, user: User) -> None:
        """Grant `user` the role, unless `user` owns the survey."""
        if self.survey.owner_id != user.pk:
            Membership.objects.update_or_create(
                survey=self.survey, user=user, defaults={"role": self.role}
            )
        self.delete()


def find_role(survey: Survey, user: Visitor) -> Role | None:
    """Return the role of `user`; in a rehearsal, the role in its draft."""
    if not (user.is_active and user.is_staff):
        return None
    if user.is_superuser or survey.owner_id == user.pk:
        return Role.OWNER
    membership = Membership.objects.filter(
        survey=survey.rehearsal_of_id or survey.pk, user=user.pk
    ).first()
    return Role(membership.role) if membership else None
