"""The audit of a served survey from outside: fetched pages, headers, scripts, draws."""
