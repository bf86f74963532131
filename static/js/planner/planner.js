// Shows what the questions on the form protect and how precise they will be, as they
// stand. Every figure and text comes from the server; nothing is worked out here.

const DELAY = 250; // milliseconds without a keystroke
const CARDS = ".inline-related.question:not(.empty-form)";
const ASSUMED = {
  share: '[data-plan="share"]',
  against: '[data-plan="against"]',
  prior: '[data-plan="prior"]',
  respondents: '[data-plan="respondents"], [name="target"]',
  margin: '[data-plan="margin"], [name="wanted_margin"]',
  mode: '[data-plan="mode"], [name="mode"]:checked',
  language: '[data-plan="language"], [name="language"]',
};

const planner = document.querySelector("[data-planner]");
let waiting;
let asking;

const cards = () => [...document.querySelectorAll(CARDS)];
const isKept = (card) => !card.querySelector('[name$="-DELETE"]')?.checked;
const familyOf = (card) => card.querySelector('select[name$="-family"]').value;

// "questions-0-family" is the input "family" of its card.
const inputName = (input) => input.name.split("-").slice(2).join("-");

function inputsOf(card) {
  const family = familyOf(card);
  const found = new URLSearchParams();
  for (const input of card.querySelectorAll("input, select, textarea")) {
    const name = inputName(input);
    const isAsked = name === "family" || name.endsWith("_label") || name.startsWith(`${family}__`);
    if (isAsked && input.value.trim()) {
      found.append(name, input.value);
    }
  }
  return found.toString();
}

// Questions that are alike are asked about once, with the numbers of all of them.
function question() {
  const alike = new Map();
  cards().forEach((card, index) => {
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
  for (const [inputs, numbers] of alike) {
    const own = new URLSearchParams(inputs);
    numbers.forEach((number) => own.append("number", number));
    asked.append("question", own);
  }
  return asked;
}

function lookUp(found, path) {
  return path.split(".").reduce((part, name) => part?.[name], found) ?? "";
}

function fill(root, found) {
  for (const place of root.querySelectorAll("[data-text]")) {
    place.textContent = lookUp(found, place.dataset.text) || place.dataset.empty || "";
  }
  for (const place of root.querySelectorAll("[data-sentences]")) {
    place.textContent = [...lookUp(found, place.dataset.sentences)].join(" ");
  }
  for (const place of root.querySelectorAll("[data-lang]")) {
    place.lang = lookUp(found, place.dataset.lang);
  }
  for (const place of root.querySelectorAll("[data-shown]")) {
    place.hidden = lookUp(found, place.dataset.shown).length === 0;
  }
}

function cell(text, { scope = "", look = "numeric" } = {}) {
  const made = document.createElement(scope ? "th" : "td");
  made.textContent = text;
  made.className = look;
  if (scope) {
    made.scope = scope;
  }
  return made;
}

function row(first, numbers) {
  const made = document.createElement("tr");
  made.append(first, ...numbers.map((text) => cell(text)));
  return made;
}

function panelOf(card) {
  const place = card.querySelector("[data-plan-question]");
  let panel = place.querySelector(".plan-panel");
  if (!panel) {
    place.replaceChildren(planner.querySelector("[data-panel]").content.cloneNode(true));
    panel = place.firstElementChild;
  }
  return panel;
}

function showError(panel, message) {
  const place = panel.querySelector("[data-error]");
  place.textContent = message;
  place.hidden = !message;
  panel.classList.toggle("is-old", Boolean(message));
}

function showQuestion(card, found) {
  const panel = panelOf(card);
  showError(panel, "");
  fill(panel, found);
  const reports = found.chances.reports.map((label) => cell(label, { scope: "col" }));
  const head = panel.querySelector("[data-head]");
  head.replaceChildren(head.firstElementChild, ...reports);
  const rows = found.chances.rows.map(({ answer, chances }) =>
    row(cell(answer, { scope: "row", look: "" }), chances));
  panel.querySelector("[data-body]").replaceChildren(...rows);
  for (const button of card.querySelectorAll("[data-stop]")) {
    button.setAttribute("aria-pressed", button.dataset.stop === found.stop);
  }
  card.querySelector("[data-own]").hidden = Boolean(found.stop);
}

function showPlot(plot, curve) {
  const image = plot.querySelector("[data-image]");
  const drawn = ({ theme, size }) => `${curve.address}&theme=${theme}&size=${size}`;
  const sources = curve.drawings.map((drawing) => {
    const source = document.createElement("source");
    const { media, width, height } = drawing;
    return Object.assign(source, { media, width, height, srcset: drawn(drawing) });
  });
  plot.querySelectorAll("source").forEach((source) => source.remove());
  image.before(...sources);
  image.src = drawn(curve.drawings.at(-1));
  image.alt = curve.alternative;
}

function showCurve(curve) {
  const plot = planner.querySelector("[data-curve]");
  plot.hidden = !curve;
  if (!curve) {
    return;
  }
  showPlot(plot, curve);
  const rows = curve.rows.map(({ respondents, margin, direct, mark }) => {
    const made = row(cell(respondents, { scope: "row" }), [margin, direct]);
    const note = document.createElement("small");
    note.textContent = mark;
    made.firstElementChild.append(" ", note);
    made.classList.toggle("is-marked", Boolean(mark));
    return made;
  });
  plot.querySelector("[data-rows]").replaceChildren(...rows);
}

function showSurvey(found) {
  fill(planner, found);
  planner.querySelector("[data-level]").dataset.level = found.level;
  planner.querySelector("[data-bar]").setAttribute("width", found.bar);
  showCurve(found.curve);
}

function markInputs(errors) {
  for (const input of document.querySelectorAll("[data-plan-refused]")) {
    input.removeAttribute("aria-invalid");
    delete input.dataset.planRefused;
  }
  for (const { field, questions } of errors) {
    const inputs = questions.length
      ? questions.map((number) => cards()[number - 1]?.querySelector(`[name$="-${field}"]`))
      : [document.querySelector(ASSUMED[field])];
    for (const input of inputs.filter(Boolean)) {
      input.setAttribute("aria-invalid", "true");
      input.dataset.planRefused = "";
    }
  }
}

function show({ questions, survey, errors }) {
  const shown = cards();
  for (const found of questions) {
    found.numbers.forEach((number) => showQuestion(shown[number - 1], found));
  }
  for (const { questions: numbers, message } of errors) {
    numbers.forEach((number) => showError(panelOf(shown[number - 1]), message));
  }
  markInputs(errors);
  if (survey) {
    showSurvey(survey);
  }
  const message = errors[0]?.message ?? "";
  showError(planner, message);
  say(message || survey.status);
}

// One short sentence for screen readers.
function say(text) {
  planner.querySelector("[data-status]").textContent = text;
}

async function ask(signal) {
  try {
    // Who has been logged out is redirected to a page that is no answer to this.
    const address = `${planner.dataset.address}?${question()}`;
    const answer = await fetch(address, { redirect: "error", signal });
    return [200, 400].includes(answer.status) ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function update() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const found = await ask(signal);
  // What was typed since has asked again.
  if (signal.aborted) {
    return;
  }
  if (found) {
    show(found);
  } else {
    showError(planner, planner.dataset.unreachable);
    say(planner.dataset.unreachable);
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(update, DELAY);
}

function choose(button) {
  const card = button.closest(".question");
  const family = card.querySelector('select[name$="-family"]');
  const { familyOfMany } = button.closest("[data-family-of-many]").dataset;
  if (family.value !== familyOfMany) {
    family.value = button.dataset.family;
  }
  const epsilon = card.querySelector(`[name$="-${family.value}__epsilon"]`);
  if (epsilon) {
    epsilon.value = button.dataset.epsilon;
  }
  family.dispatchEvent(new Event("change", { bubbles: true }));
}

function prepare() {
  for (const card of cards()) {
    const stops = card.querySelector("[data-plan-stops]");
    if (!stops.childElementCount) {
      stops.append(planner.querySelector("[data-stops]").content.cloneNode(true));
    }
    panelOf(card);
  }
  soon();
}

function start() {
  const form = planner.closest("form");
  planner.hidden = false;
  for (const name of ["input", "change"]) {
    form.addEventListener(name, soon);
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-stop]");
    if (button) {
      choose(button);
    }
  });
  // Enter would save the survey.
  planner.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input")) {
      event.preventDefault();
    }
  });
  // Questions come, go and move by scripts of others, which tell nobody.
  const group = document.querySelector(".question").parentElement;
  new MutationObserver(prepare).observe(group, { childList: true });
  prepare();
}

if (planner) {
  start();
}
