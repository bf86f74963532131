from candor import __version__


def get_software_version() -> str:
    """Return the name and the version that exports and programs state."""
    return f"candor {__version__}"
