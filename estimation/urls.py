from django.urls import URLPattern


def get_urls() -> list[URLPattern]:
    """Return the pages of one survey's results, below its page in the admin."""
    return []
