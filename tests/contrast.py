"""The contrast of two colours."""

# WCAG 2.2, success criteria 1.4.3 (text) and 1.4.11 (graphical objects).
TEXT_CONTRAST, GRAPHICS_CONTRAST = 4.5, 3.0


def luminance(colour):
    # WCAG 2.2, definition of relative luminance
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)
