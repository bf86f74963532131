"""A sealed survey, its key holder, and what respondents seal."""

from candor.keys import Batch, PrivateKey, open_batch
from tests.factories import make_survey

KEY, ANOTHER_KEY = PrivateKey.make(), PrivateKey.make()
HOLDER = KEY.publish(holder="Ethics Office", contact="ethics@example.org")
ANOTHER_HOLDER = ANOTHER_KEY.publish(holder="Ethics Office", contact="")


def make_sealed_survey(questions=("coin", "coin"), *, holder=HOLDER, **fields):
    """An open survey whose reports only the key holder can open."""
    return make_survey(questions, holder_key=holder.write().decode(), **fields)


def seal(survey, *patterns, holder=HOLDER, digest=None):
    """The patterns, given as bytes, as respondents seal them."""
    digest = digest or survey.design_digest
    return [holder.seal(pattern, digest) for pattern in patterns]


def open_file(content, key=KEY):
    """The result that the key holder returns for the file of a batch."""
    return open_batch(key, Batch.read(content)).write(key)
