// Shows the protection and precision of the questions in the form as they are edited. The
// server renders the figures; this script requests and inserts them.

const DELAY = 250; // milliseconds without a keystroke
const CARDS = ".inline-related.question:not(.empty-form)";
const ASSUMED = {
  share: "#plan_share",
  against: "#plan_against",
  power: "#plan_power",
  other: "#plan_other",
  mean: "#plan_mean",
  sd: "#plan_sd",
  difference: "#plan_difference",
  ratio: "#plan_ratio",
  prior: "#plan_prior",
  response_rate: "#plan_response_rate",
  design_effect: "#plan_design_effect",
  intra_class: "#plan_intra_class",
  cluster_size: "#plan_cluster_size",
  respondents: '[name="target"]',
  margin: '[name="wanted_margin"]',
  mode: '[name="mode"]:checked',
  language: '[name="language"]',
  level: '[name="pinned_level"]',
  draws: "#id_draws",
  intervals: '[name="pinned_method"]',
};

const planner = document.querySelector("[data-planner]");
const gauge = document.querySelector("[data-summary]");
let waiting;
let asking;

const isKept = (card) => !card.querySelector('[name$="-DELETE"]')?.checked;
const isOpen = (card) => card.classList.contains("is-open");
const familyOf = (card) => card.querySelector('[name$="-family"]').value;
const panelOf = (card) => card.querySelector(".plan-panel");
const numbersOf = ({ dataset }) => dataset.numbers.split(" ").filter(Boolean);

// "questions-0-family" is the input "family" of its card.
const inputName = (input) => input.name.split("-").slice(2).join("-");

// Folded questions are sent without their texts, which the figures do not show. Then many
// questions are equal, and the address for 200 stays short enough for servers.
function valueOf(input, card) {
  const name = inputName(input);
  if (isOpen(card)) {
    return input.value;
  }
  const lines = input.value.split("\n").filter((line) => line.trim());
  if (name.endsWith("__choices")) {
    return lines.map((_line, index) => index + 1).join("\n");
  }
  return name.endsWith("_label") ? "" : input.value;
}

function inputsOf(card) {
  const family = familyOf(card);
  const scales = (document.querySelector("[data-scale]")?.dataset.families ?? "").split(" ");
  const found = new URLSearchParams();
  for (const input of card.querySelectorAll("input, select, textarea")) {
    const name = inputName(input);
    const isOfScale = name.startsWith("scale__") && scales.includes(family);
    const isSkip = name.startsWith("skip") && (input.type === "hidden" || input.matches(":checked:enabled"));
    const isAsked = name === "family" || isSkip || name.endsWith("_label") || name.startsWith(`${family}__`) || isOfScale;
    const value = isAsked ? valueOf(input, card) : "";
    if (value.trim()) {
      found.append(name, value);
    }
  }
  return found.toString();
}

// Equal questions are requested once, with all their numbers.
function question(cards) {
  const alike = new Map();
  cards.forEach((card, index) => {
    if (isKept(card) && familyOf(card)) {
      const inputs = inputsOf(card);
      alike.set(inputs, [...(alike.get(inputs) ?? []), index + 1]);
    }
  });
  const asked = new URLSearchParams();
  for (const [name, selector] of Object.entries(ASSUMED)) {
    const value = document.querySelector(selector)?.value.trim();
    if (value) {
      asked.append(name, value);
    }
  }
  // Folded cards get no panel: 200 questions would have 1 MB of invisible panels.
  const shown = cards.flatMap((card, index) => (isOpen(card) ? [index + 1] : []));
  asked.append("shown", shown.join(" "));
  for (const [inputs, numbers] of alike) {
    const own = new URLSearchParams(inputs);
    numbers.forEach((number) => own.append("number", number));
    asked.append("question", own);
  }
  return asked;
}

// Updates the page to the HTML of the server. Equal elements are not replaced, to keep the
// focus and opened details.
function become(shown, wanted) {
  if (shown.isEqualNode(wanted)) {
    return;
  }
  if (shown.nodeName !== wanted.nodeName) {
    shown.replaceWith(wanted);
    return;
  }
  if (shown.nodeType === Node.TEXT_NODE) {
    shown.data = wanted.data;
    return;
  }
  for (const { name } of [...shown.attributes]) {
    if (name !== "open" && !wanted.hasAttribute(name)) {
      shown.removeAttribute(name);
    }
  }
  for (const { name, value } of wanted.attributes) {
    if (shown.getAttribute(name) !== value) {
      shown.setAttribute(name, value);
    }
  }
  const parts = [...wanted.childNodes];
  [...shown.childNodes].slice(parts.length).forEach((part) => part.remove());
  parts.forEach((part, place) => {
    if (place < shown.childNodes.length) {
      become(shown.childNodes[place], part);
    } else {
      shown.append(part);
    }
  });
}

function showStrength(card, strength) {
  for (const button of card.querySelectorAll("button[data-strength]")) {
    button.setAttribute("aria-pressed", button.dataset.strength === strength);
  }
  const own = card.querySelector("[data-own]");
  if (own) {
    own.hidden = Boolean(strength);
  }
}

function showLine(card, line) {
  card.querySelector("[data-line]").textContent = line;
}

// The texts above the panel.
function showOutcome(card, { sentence, margins }) {
  card.querySelector("[data-outcome]").textContent = sentence;
  const each = margins.split("|");
  card.querySelectorAll("[data-margin]").forEach((place, index) => {
    place.textContent = each[index] ?? "";
  });
}

function showQuestion(card, panel) {
  become(panelOf(card), panel);
  showOutcome(card, panel.dataset);
  showLine(card, panel.dataset.figures);
  showStrength(card, panel.dataset.strength);
}

function showError(panel, message) {
  const place = panel.querySelector("[data-error]");
  place.textContent = message;
  place.hidden = false;
  panel.classList.add("is-old");
}

// The status of the whole survey, which screen readers announce.
function say(message) {
  showError(gauge, message);
  const status = gauge.querySelector("[data-status]");
  // Unchanged texts are not set: screen readers would repeat them.
  if (status.textContent !== message) {
    status.textContent = message;
  }
}

function unmarkInputs() {
  for (const input of document.querySelectorAll("[data-plan-refused]")) {
    input.removeAttribute("aria-invalid");
    delete input.dataset.planRefused;
  }
}

function markInput(input) {
  input?.setAttribute("aria-invalid", "true");
  input?.setAttribute("data-plan-refused", "");
}

function refuse({ dataset: { field }, textContent: message }, cards) {
  if (!cards.length) {
    markInput(document.querySelector(ASSUMED[field]));
  }
  for (const card of cards) {
    markInput(card.querySelector(`[name$="-${field}"]`));
    if (panelOf(card)) {
      showError(panelOf(card), message);
    }
  }
}

function show(found, cards) {
  const cardsOf = (part) => numbersOf(part).map((number) => cards[number - 1]);
  for (const panel of found.querySelectorAll(".plan-panel")) {
    const alike = cardsOf(panel);
    alike.filter(panelOf).forEach((card) => showQuestion(card, panel.cloneNode(true)));
    alike.forEach((card) => showLine(card, panel.dataset.figures));
  }
  for (const folded of found.querySelectorAll("[data-folded]")) {
    cardsOf(folded).forEach((card) => showLine(card, folded.textContent));
  }
  unmarkInputs();
  const refused = [...found.querySelectorAll("[data-field]")];
  refused.forEach((refusal) => refuse(refusal, cardsOf(refusal)));
  if (refused.length) {
    say(refused[0].textContent);
  } else {
    become(planner, found.querySelector("[data-planner]"));
    become(gauge, found.querySelector("[data-summary]"));
  }
}

async function ask(cards, signal) {
  try {
    // After a logout, the response is the login page.
    const address = `${gauge.dataset.address}?${question(cards)}`;
    const answer = await fetch(address, { redirect: "error", signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[data-panels]");
  } catch {
    return null;
  }
}

async function update() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const cards = [...document.querySelectorAll(CARDS)];
  const found = await ask(cards, signal);
  // Later input has sent a newer request.
  if (signal.aborted) {
    return;
  }
  if (found) {
    show(found, cards);
  } else {
    say(gauge.dataset.unreachable);
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(update, DELAY);
}

// The button below a warning applies its remedy.
function apply({ target }) {
  const button = target.closest("[data-draws]");
  if (button) {
    const draws = document.querySelector(ASSUMED.draws);
    draws.value = button.dataset.draws;
    draws.dispatchEvent(new Event("input", { bubbles: true }));
    gauge.focus();
  }
}

function start() {
  const form = planner.closest("form");
  gauge.addEventListener("click", apply);
  for (const name of ["input", "change"]) {
    form.addEventListener(name, soon);
  }
  form.addEventListener("questions:folded", soon);
  // Enter would reload the page and lose unsaved input.
  planner.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input")) {
      event.preventDefault();
    }
  });
  // Other scripts add, remove and move questions without an event.
  const group = document.querySelector(".question").parentElement;
  new MutationObserver(soon).observe(group, { childList: true });
  soon();
}

if (planner) {
  start();
}
