"""Options of several commands."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from respondents.imports.archives.merge import Sites, read_sites

DOUBTFUL_PLAN = (
    "The planned analysis was left out: not every archive is signed with a trusted key "
    "by the server that collected its reports (--trusted-key)."
)

KEY_DIGITS = 64


def add_archives(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--may-be-identical",
        action="store_true",
        help="accept two archives with the same counts, which occurred by chance",
    )
    parser.add_argument(
        "--trusted-key",
        action="append",
        default=[],
        type=public_key,
        metavar="KEY",
        help="public key, as printed by `archive`, of a server that you trust to state "
        "when the analysis was planned; may be repeated",
    )


def get_sites(options: Mapping[str, Any]) -> Sites:
    return read_sites(
        options["folders"],
        may_be_identical=options["may_be_identical"],
        trusted_keys=options["trusted_key"],
        same=options.get("same", ()),
    )


def public_key(text: str) -> str:
    if not re.fullmatch(rf"[0-9a-f]{{{KEY_DIGITS}}}", text):
        message = f"must be {KEY_DIGITS} hexadecimal digits; got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return text
