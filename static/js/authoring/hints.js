// Shows hints on wording during typing. The rules come from the server, which applies the
// same ones (surveys/authoring/hints.py); no text leaves the page for this.

const DELAY = 600; // milliseconds without a keystroke, so as not to interrupt
const stored = document.getElementById("hint-rules");
const rules = JSON.parse(stored?.textContent ?? "{}");
const language = document.querySelector("#id_language");
const waiting = new Map();

export function hintsFor(text, code, isYesOrNo, isTimeless = false) {
  if (!text.trim()) {
    return [];
  }
  return (rules[code] ?? [])
    .filter(({ forYesOrNo }) => isYesOrNo || !forYesOrNo)
    .filter(({ forWhatHappened }) => !(isTimeless && forWhatHappened))
    .filter(({ pattern, ifMissing }) => new RegExp(pattern, "iu").test(text) !== ifMissing)
    .map(({ message }) => message);
}

// Whether the family of the question is in a list from the server.
function isOneOf(card, list) {
  const chosen = card.querySelector('[name$="-family"]').value;
  return card.querySelector("[data-hints]").dataset[list].split(" ").includes(chosen);
}

function show(card) {
  const text = card.querySelector('[name$="-text"]').value;
  const hints = hintsFor(
    text,
    language.value,
    isOneOf(card, "yesOrNo"),
    isOneOf(card, "timeless"),
  );
  const list = card.querySelector("[data-hints]");
  const shown = [...list.children].map((item) => item.textContent.trim());
  // Replace only changed hints: a replaced list is read out again.
  if (hints.join("\n") !== shown.join("\n")) {
    list.replaceChildren(
      ...hints.map((hint) => {
        const item = document.createElement("li");
        item.textContent = hint;
        return item;
      }),
    );
  }
}

document.addEventListener("input", ({ target }) => {
  const card = target.closest(".question");
  if (card && target.matches('[name$="-text"]')) {
    clearTimeout(waiting.get(card));
    waiting.set(card, setTimeout(show, DELAY, card));
  }
});

document.addEventListener("questions:equipped", ({ target }) => show(target));

document.addEventListener("change", ({ target }) => {
  if (target === language) {
    document.querySelectorAll(".question:not(.empty-form):has([data-hints])").forEach(show);
  } else if (target.matches('.question [name$="-family"]')) {
    show(target.closest(".question"));
  }
});
