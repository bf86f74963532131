"""Protect opened surveys against changes."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

DESIGN_FORMAT = 1
"""Part of the digest; increased when the frozen definition gains a field."""


class FrozenError(ValidationError):
    def __init__(self) -> None:
        super().__init__(_("An opened survey is frozen."))


def encode_definition(definition: Mapping[str, Any]) -> str:
    """Return the definition as JSON: sorted keys, no spaces, no escapes."""
    return json.dumps(
        definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def compute_digest(definition: Mapping[str, Any]) -> str:
    """Return SHA-256 over the canonical definition in UTF-8."""
    return hashlib.sha256(encode_definition(definition).encode()).hexdigest()
