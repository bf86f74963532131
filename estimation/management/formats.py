"""What commands write for programs."""

import json
from collections.abc import Mapping
from typing import Any


def as_json(found: Mapping[str, Any]) -> str:
    """Return strict JSON, indented for people."""
    return json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)
