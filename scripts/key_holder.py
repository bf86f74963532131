"""Insert `seal.js` into the key holder's page, with the hashes for its policy.

python -m scripts.key_holder
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
PAGE, SEAL = STATIC / "key-holder.html", STATIC / "js" / "collecting" / "seal.js"
SHARED = re.compile(r"(?<=// seal\.js\n).*?(?=// end of seal\.js\n)", re.DOTALL)
POLICY = re.compile(r'(?<=Security-Policy" content=").*(?=">)')


def fill(page: str) -> str:
    """Return the page with the current script and its content policy."""
    page = SHARED.sub(lambda _found: SEAL.read_text("utf-8"), page)
    sources = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
    for tag in ("script", "style"):
        [content] = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        sources.append(f"{tag}-src 'sha256-{digest}'")
    return POLICY.sub(lambda _found: "; ".join(sources), page)


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text("utf-8")), "utf-8")
