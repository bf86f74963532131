"""Public results: the page *Publish*, and the pages that need no login."""
