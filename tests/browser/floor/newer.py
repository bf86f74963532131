"""What browsers learnt after the floor of docs/administrators/browsers.md.

One list with two uses: no script of respondents may name any of it, and the old browser
of test_old_browsers.py has none of it. Taken from MDN's browser-compat-data 8.1.9: what
Safari 12.1, Chrome 80 or Firefox 78 lacks of what pages like ours could want.
"""

PROTOTYPES = {
    "Array": "at findLast findLastIndex toReversed toSorted toSpliced with",
    "String": "at isWellFormed matchAll replaceAll toWellFormed",
    "Uint8Array": "at findLast findLastIndex setFromBase64 setFromHex toBase64 toHex"
    " toReversed toSorted with",
    "RegExp": "hasIndices unicodeSets",
    "Map": "getOrInsert getOrInsertComputed",
    "Set": "difference intersection isDisjointFrom isSubsetOf isSupersetOf"
    " symmetricDifference union",
    "Document": "adoptedStyleSheets caretPositionFromPoint exitFullscreen getAnimations"
    " moveBefore replaceChildren startViewTransition timeline",
    "DocumentFragment": "moveBefore replaceChildren",
    "Element": "animate checkVisibility computedStyleMap getAnimations getHTML"
    " moveBefore part replaceChildren requestFullscreen role setHTML setHTMLUnsafe"
    " setPointerCapture startViewTransition",
    "HTMLElement": "attachInternals enterKeyHint hidePopover inert outerText popover"
    " showPopover togglePopover writingSuggestions",
    "HTMLInputElement": "popoverTargetElement showPicker",
    "HTMLFormElement": "requestSubmit",
    "HTMLButtonElement": "command commandForElement popoverTargetElement",
    "HTMLDialogElement": "showModal requestClose",
    "Navigator": "canShare clipboard connection gpu hardwareConcurrency locks"
    " maxTouchPoints permissions share storage userActivation userAgentData vibrate"
    " virtualKeyboard wakeLock",
    "Crypto": "randomUUID",
    "AbortSignal": "reason throwIfAborted",
    "Blob": "arrayBuffer bytes stream text",
    "Response": "bytes",
    "Headers": "getSetCookie",
    "URLSearchParams": "size",
    "EventTarget": "when",
    "TextEncoder": "encodeInto",
}

STATICS = {
    "AbortSignal": "abort any timeout",
    "Array": "fromAsync",
    "Error": "captureStackTrace isError",
    "Intl": "DisplayNames DurationFormat ListFormat Locale PluralRules"
    " RelativeTimeFormat Segmenter supportedValuesOf",
    "Map": "groupBy",
    "Math": "sumPrecise",
    "Object": "groupBy hasOwn",
    "Promise": "allSettled any try withResolvers",
    "RegExp": "escape",
    "Response": "json",
    "URL": "canParse parse",
    "Uint8Array": "fromBase64 fromHex",
}

# Names that others have had for long, as a Response its text: there the name alone says
# nothing. The old browser lacks these of them all the same.
NAMESAKES = frozenset({"arrayBuffer", "reason", "size", "stream", "text", "timeline"})

MEMBERS = (
    frozenset(name for names in PROTOTYPES.values() for name in names.split())
    - NAMESAKES
)

STATIC_MEMBERS = frozenset(
    f"{owner}.{name}" for owner, names in STATICS.items() for name in names.split()
)

GLOBALS = (
    "AggregateError BigInt BroadcastChannel CompressionStream"
    " FinalizationRegistry Iterator PointerEvent ResizeObserver Temporal WeakRef"
    " cookieStore fetchLater navigation reportError requestIdleCallback scheduler"
    " structuredClone trustedTypes visualViewport"
)

# An unknown selector makes querySelector throw, and a browser drop a whole rule of a
# style sheet. `:not()` itself is old; a list in it is not.
SELECTORS = (
    r":(?:has|is|where|dir|focus-visible|modal|open|popover-open|autofill"
    r"|user-invalid|user-valid|state|host-context|:details-content|:part|:backdrop"
    r"|:view-transition[\w-]*)(?![\w-])|:not\([^()]*,"
)

ELEMENTS = frozenset({"dialog", "search", "selectedcontent", "fencedframe"})
ATTRIBUTES = frozenset(
    {"inert", "popover", "popovertarget", "commandfor", "command", "interestfor"}
)
