"""Security headers of respondents' pages."""

from csp.utils import build_policy

POWERFUL_FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "magnetometer", "microphone", "midi",
    "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock",
    "usb", "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in POWERFUL_FEATURES)

# Built once, because respondents' pages have no other policy and must be fast.
CONTENT_POLICY = build_policy()
