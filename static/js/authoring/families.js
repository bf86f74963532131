// Shows only the inputs that the kind and the family of a question need: first the kind,
// then the strength, and the families of the literature only on request. Without this
// script all inputs are shown, each group under the name of its mechanism.

const guide = document.querySelector("[data-guide]");
const familyOf = (card) => card.querySelector('[name$="-family"]');
const epsilonOf = (card) => card.querySelector(`[name$="-${familyOf(card).value}__epsilon"]`);
const answersOf = (card) => card.querySelector(`[name$="-${familyOf(card).value}__choices"]`);
// By hand the mechanism is fixed on paper.
const isByHand = () => document.querySelector('[name="mode"]:checked')?.value === "hand";
const strengthsOf = (card) => [...card.querySelectorAll("button[data-strength]")];

// Several answers and scales take the epsilon of a strength and keep their family.
const keepsFamily = (button, card) =>
  button.closest("[data-families-of-many]").dataset.familiesOfMany.split(" ").includes(familyOf(card).value);

function isOf(button, card) {
  const isAlike = familyOf(card).value === button.dataset.family || keepsFamily(button, card);
  const epsilon = epsilonOf(card);
  return isAlike && (!epsilon || epsilon.value.trim() === button.dataset.epsilon);
}

const kindsOf = (card) => card.querySelector("[data-kinds]");

function isOfKind(kind, card) {
  const { of } = kindsOf(card).querySelector(`[value="${kind}"]`).dataset;
  return of.split(" ").includes(familyOf(card).value);
}

function isClassical(card) {
  const family = familyOf(card).value;
  return isOfKind("coin", card) && !strengthsOf(card).some((button) => button.dataset.family === family);
}

function show(card) {
  const family = familyOf(card).value;
  for (const group of card.querySelectorAll("[data-families]")) {
    group.hidden = !group.dataset.families.split(" ").includes(family);
  }
  const skip = card.querySelector('[name$="-skip"]');
  skip.disabled = isByHand();
  skip.closest("p").hidden ||= skip.disabled;
  for (const option of kindsOf(card).options) {
    if (isOfKind(option.value, card)) {
      option.selected = true;
      card.querySelector("[data-kind-label]").textContent = option.textContent;
    }
  }
  const isExact = card.hasAttribute("data-exact");
  const exactly = card.querySelector("[data-exactly]");
  exactly.setAttribute("aria-expanded", isExact);
  exactly.hidden = isOfKind("direct", card);
  for (const input of card.querySelectorAll('[name$="__epsilon"]')) {
    input.closest(".field").hidden = !isExact;
    const group = input.closest("fieldset");
    const others = [...group.querySelectorAll(".field")].filter((field) => !field.hidden);
    group.hidden ||= others.length === 0;
  }
  const showsOthers = card.hasAttribute("data-shows-others");
  card.querySelector("[data-others]").hidden = !showsOthers;
  const more = card.querySelector("[data-others-toggle]");
  more.setAttribute("aria-expanded", showsOthers);
  // Only yes/no questions have other families, and scales have one.
  more.hidden = !isOfKind("coin", card) && !isOfKind("one_bit", card) && !showsOthers;
  guideTo(card);
}

// Shows a line of advice for each family, in the open card that lists other families.
function guideTo(card) {
  if (card.hasAttribute("data-shows-others") && card.classList.contains("is-open")) {
    card.querySelector("[data-others] > .field-row").after(guide);
    guide.hidden = false;
    for (const line of guide.querySelectorAll("[data-guide-to]")) {
      line.classList.toggle("is-chosen", line.dataset.guideTo === familyOf(card).value);
    }
  } else if (card.contains(guide)) {
    guide.hidden = true;
  }
}

// On load, and after another family was chosen, opens the parts that have its settings.
function settle(card) {
  const isNamed = strengthsOf(card).some((button) => isOf(button, card));
  card.toggleAttribute("data-exact", Boolean(epsilonOf(card)) && !isNamed);
  if (isClassical(card)) {
    card.setAttribute("data-shows-others", "");
  }
  // Settings other than the default are visible.
  card.querySelector("[data-more]").open ||= card.matches("[data-shows-others], [data-exact]");
  show(card);
}

function change(card, family) {
  familyOf(card).value = family;
  familyOf(card).dispatchEvent(new Event("change", { bubbles: true }));
}

// Typed answers move to the new kind, to its family that takes a list of answers.
function takeAnswers(card, kind) {
  const typed = answersOf(card)?.value;
  const turn = card.querySelector(`[data-families="${kind}"] [data-turn]`);
  familyOf(card).value = kind;
  if (typed && turn && !answersOf(card)) {
    familyOf(card).value = turn.dataset.turn;
  }
  const answers = answersOf(card);
  if (typed && answers && answers.value === "") {
    answers.value = typed;
  }
}

// Keeps the strength or the typed epsilon; otherwise uses the strength of the coin.
function chooseKind(card, kind) {
  if (isOfKind(kind, card)) {
    return;
  }
  const strengths = strengthsOf(card);
  const isScrambled = strengths[0].closest("[data-families]").dataset.families.split(" ").includes(kind);
  const named = strengths.find((each) => isOf(each, card));
  const own = named ? null : epsilonOf(card)?.value;
  takeAnswers(card, kind);
  card.removeAttribute("data-shows-others");
  if (!isScrambled) {
    change(card, familyOf(card).value);
  } else if (own) {
    familyOf(card).value = epsilonOf(card) ? kind : "epsilon";
    epsilonOf(card).value = own;
    change(card, familyOf(card).value);
  } else {
    chooseStrength(card, named ?? strengths.find((each) => each.dataset.family === "coin"));
  }
}

function chooseStrength(card, button) {
  if (!keepsFamily(button, card)) {
    familyOf(card).value = button.dataset.family;
  }
  const epsilon = epsilonOf(card);
  if (epsilon) {
    epsilon.value = button.dataset.epsilon;
  }
  card.removeAttribute("data-shows-others");
  change(card, familyOf(card).value);
}

// The initial value is the epsilon of the chosen strength.
function openExactly(card) {
  if (card.hasAttribute("data-exact")) {
    settle(card);
    return;
  }
  if (!epsilonOf(card)) {
    const named = strengthsOf(card).find((button) => isOf(button, card));
    familyOf(card).value = "epsilon";
    epsilonOf(card).value = named?.dataset.epsilon ?? epsilonOf(card).value;
  }
  card.removeAttribute("data-shows-others");
  change(card, familyOf(card).value);
  card.setAttribute("data-exact", "");
  show(card);
  epsilonOf(card).focus();
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-kinds]")) {
    chooseKind(target.closest(".question"), target.value);
  } else if (target.matches('.question [name$="-family"]')) {
    settle(target.closest(".question"));
  } else if (target.matches('[name="mode"]')) {
    document.querySelectorAll(".question:has([data-inputs])").forEach(show);
  }
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".question button");
  const card = button?.closest(".question");
  if (button?.matches("[data-strength]")) {
    chooseStrength(card, button);
  } else if (button?.matches("[data-exactly]")) {
    openExactly(card);
  } else if (button?.matches("[data-turn]")) {
    change(card, button.dataset.turn);
    card.querySelector(`[data-families="${button.dataset.turn}"] [data-turn]`).focus();
  } else if (button?.matches("[data-others-toggle]")) {
    card.toggleAttribute("data-shows-others");
    show(card);
  }
});

for (const name of ["questions:equipped", "formset:added"]) {
  document.addEventListener(name, ({ target }) => settle(target));
}
document.addEventListener("questions:folded", ({ target }) => guideTo(target));

// This includes the hidden blank question, of which added questions are copies.
document.querySelectorAll(".inline-related.question:has([data-inputs])").forEach(settle);
if (guide) {
  guide.hidden = true;
}
