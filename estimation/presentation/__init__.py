"""Sentences, cautions, tables and charts of the estimates in `rows`."""
