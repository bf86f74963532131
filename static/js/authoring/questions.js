// Folds, adds, moves and removes questions, all by buttons. The number in the names of
// inputs never changes: positions are sent in the order inputs, and removed questions are
// marked. So no text can end up in another question, and a removal can be undone.
//
// If there are many questions, most have no inputs: hidden ones carry their values until
// the card is opened, and the values then move into copies of the blank card's inputs.

const REMEMBERED = "question-open";
const NAMES_QUESTIONS = /^(draws|shares_to_beat|pinned_pairs)$|-show_if$/;

// Missing if questions can only be read.
const group = document.querySelector("[data-questions]");
const list = group?.querySelector("[data-list]");
const total = group?.querySelector('[name$="-TOTAL_FORMS"]');
const blank = list?.querySelector(".empty-form");
const tools = group?.querySelector("template[data-tools]");
const message = group?.dataset;

const find = (card, name) => card.querySelector(`[name$="-${name}"]`);
const isRemoved = (card) => Boolean(find(card, "DELETE")?.checked);
const isBlank = (card) => !find(card, "id")?.value && !find(card, "text").value.trim();
const isOpen = (card) => card.classList.contains("is-open");
const foldOf = (card) => card.querySelector("[data-fold]");

function cards() {
  return [...list.querySelectorAll(".question:not(.empty-form)")];
}

function kept() {
  return cards().filter((card) => !isRemoved(card));
}

function say(text, values = {}) {
  const filled = text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  group.querySelector("[data-announcement]").textContent = filled;
}

function tell(card, name) {
  card.dispatchEvent(new CustomEvent(name, { bubbles: true }));
}

// A blank question gets no position: it would count as filled in and then be refused.
function number() {
  // A single question cannot be moved and needs no number.
  group.toggleAttribute("data-single", kept().length === 1);
  kept().forEach((card, index, all) => {
    for (const place of card.querySelectorAll("[data-number]")) {
      place.textContent = index + 1;
    }
    find(card, "position").value = isBlank(card) ? "" : index + 1;
    card.querySelector("[data-move=up]").setAttribute("aria-disabled", index === 0);
    card.querySelector("[data-move=down]").setAttribute("aria-disabled", index === all.length - 1);
  });
}

function copyOfBlank(prefix) {
  const holder = document.createElement("template");
  holder.innerHTML = blank.outerHTML
    .replaceAll("__prefix__", prefix)
    .replaceAll("questions-empty", `questions-${prefix}`);
  return holder.content.firstElementChild;
}

// Gives a card its inputs, with the values that it carried without them.
function equip(card) {
  if (card.querySelector("[data-inputs]")) {
    return;
  }
  const prefix = card.id.replace("questions-", "");
  const inputs = copyOfBlank(prefix).querySelector("[data-inputs]");
  ["skip", "skip_scale"].forEach((name) => (find(inputs, name).checked = false));
  for (const held of card.querySelectorAll("[data-carried] > input")) {
    const input = inputs.querySelector(`[name="${held.name}"]`);
    if (input.type === "checkbox") {
      input.checked = true;
    } else {
      input.value = held.value;
    }
  }
  card.querySelector("[data-carried]").remove();
  card.append(inputs);
  hideWhatScriptsDo(card);
  tell(card, "questions:equipped");
}

function open(card, isWanted = true) {
  if (isWanted) {
    equip(card);
  }
  card.classList.toggle("is-open", isWanted);
  foldOf(card).setAttribute("aria-expanded", isWanted);
  tell(card, "questions:folded");
}

// Opens one card and closes all others. The line that was pressed does not move.
function openOnly(card) {
  const top = card.getBoundingClientRect().top;
  kept()
    .filter((other) => other !== card && isOpen(other))
    .forEach((other) => open(other, false));
  open(card);
  window.scrollBy({ top: card.getBoundingClientRect().top - top, behavior: "instant" });
}

function append() {
  const card = copyOfBlank(total.value);
  card.classList.remove("empty-form", "last-related", "is-open");
  total.value = Number(total.value) + 1;
  blank.before(card);
  prepare(card);
  tell(card, "formset:added");
  return card;
}

function add() {
  const card = append();
  number();
  openOnly(card);
  return card;
}

// Moves the neighbour, so that the pressed button stays in place and keeps the focus.
function move(card, direction) {
  const all = kept();
  const place = all.indexOf(card);
  const neighbour = all[place + (direction === "up" ? -1 : 1)];
  if (!neighbour) {
    say(message.end);
    return;
  }
  if (direction === "up") {
    card.after(neighbour);
  } else {
    card.before(neighbour);
  }
  number();
  foldOf(card).scrollIntoView({ block: "nearest" });
  say(message.moved, { number: kept().indexOf(card) + 1, count: all.length });
}

// Passes the question of a tick list on to the list's next item.
function passList(from, to) {
  const list = find(from, "tick_list");
  if (list?.value && to) {
    equip(to);
    find(to, "tick_list").value = list.value;
    list.value = "";
  }
}

function readLines() {
  const inputs = [...group.closest("form").elements];
  const lines = inputs.filter(({ name }) => NAMES_QUESTIONS.test(name));
  return Object.fromEntries(lines.map(({ name, value }) => [name, value]));
}

// A saved removal has renumbered the lines that name questions. Undoing it restores them,
// unless questions moved or the line was changed since.
function bringBackLines({ lines, followed, others }, card) {
  const { elements } = group.closest("form");
  const now = kept().filter((other) => other !== card);
  if (others.every((other, place) => other === now[place])) {
    Object.entries(followed)
      .filter(([name, line]) => elements[name].value === line)
      .forEach(([name]) => fillIn(name, lines[name]));
  }
}

function remove(card) {
  equip(card);
  const place = kept().indexOf(card);
  const heir = kept()[place + 1];
  const notice = group.querySelector("[data-undo]").content.firstElementChild.cloneNode(true);
  notice.querySelector("[data-text]").textContent = find(card, "text").value;
  Object.assign(notice, { card, lines: readLines(), followed: {} });
  if (find(card, "tick_list").value) {
    notice.heir = heir;
    passList(card, heir);
  }
  find(card, "DELETE").checked = true;
  card.hidden = true;
  card.before(notice);
  // Behind all others: a removed question has no number.
  blank.after(card);
  notice.others = kept();
  number();
  notice.querySelector("button").focus();
  say(message.removed, { number: place + 1 });
}

function bringBack(notice) {
  const { card, heir } = notice;
  if (heir) {
    passList(heir, card);
  }
  find(card, "DELETE").checked = false;
  card.hidden = false;
  notice.replaceWith(card);
  bringBackLines(notice, card);
  number();
  openOnly(card);
  find(card, "text").focus();
  say(message.back, { number: kept().indexOf(card) + 1 });
}

function fillIn(name, value) {
  const input = group.closest("form").elements[name];
  if (input.type === "checkbox") {
    input.checked = Boolean(value);
  } else {
    input.value = value;
  }
  // A group of radio buttons is a list, not an element.
  const target = input.length && !input.options ? [...input].find((each) => each.checked) : input;
  for (const event of ["input", "change"]) {
    target?.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

// Fills in what others saved, by input, also in questions that they added or removed.
function merge({ detail: changes }) {
  const focused = document.activeElement;
  for (const name of Object.keys(changes)) {
    const [, place] = name.match(/^questions-(\d+)-/) ?? [];
    if (place) {
      equip(document.getElementById(`questions-${place}`) ?? append());
    }
  }
  Object.entries(changes).forEach(([name, value]) => fillIn(name, value));
  arrange();
  focused.focus({ preventScroll: true });
}

function hideWhatScriptsDo(card) {
  card.querySelector(".delete").hidden = true;
  find(card, "position").closest(".field").hidden = true;
}

// Turns the line into the button that folds the card, and adds the tools next to it.
function prepare(card) {
  const line = card.querySelector(".question-line");
  const link = line.querySelector("a");
  link?.replaceWith(...link.childNodes);
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.fold = "";
  button.setAttribute("aria-expanded", isOpen(card));
  button.append(...line.childNodes);
  line.append(button);
  line.after(tools.content.cloneNode(true));
  if (card.querySelector("[data-inputs]")) {
    hideWhatScriptsDo(card);
  }
}

// After an error, cards are in the order of their inputs, not of their positions.
function sort() {
  const placed = (card) => (isRemoved(card) ? 0 : Number(find(card, "position").value)) || Infinity;
  const order = cards().sort((one, other) => placed(one) - placed(other) || 0);
  if (order.some((card, index) => card !== cards()[index])) {
    order.forEach((card) => blank.before(card));
  }
}

function arrange() {
  sort();
  cards().filter(isRemoved).forEach((card) => {
    card.hidden = true;
    blank.after(card);
  });
  number();
}

// Updates the question's text on its line; the figures there come from the planner.
function retell({ target }) {
  const card = target.closest(".question");
  if (card && target === find(card, "text")) {
    card.querySelector("[data-question-text]").textContent = target.value;
  }
}

// Saving a draft returns to the question that was open.
function remember() {
  const opened = kept().filter(isOpen).map((card) => kept().indexOf(card) + 1);
  sessionStorage.setItem(REMEMBERED, JSON.stringify([location.pathname, opened.at(-1)]));
}

function recall() {
  const [path, place] = JSON.parse(sessionStorage.getItem(REMEMBERED) ?? "[]");
  sessionStorage.removeItem(REMEMBERED);
  const isHere = path === location.pathname || path?.endsWith("/add/");
  const hasProblem = document.querySelector('#survey_form [role="alert"]:not([hidden])');
  const card = kept()[place - 1];
  if (isHere && card && !hasProblem && !location.search) {
    openOnly(card);
  }
}

// Opens the card of an input to which the checklist links: folded cards hide or lack it.
function show(hash) {
  const id = decodeURIComponent(hash.slice(1));
  const card = document.getElementById(id.match(/^(?:id_)?(questions-\d+)/)?.[1]);
  if (card && !isRemoved(card)) {
    openOnly(card);
    return document.getElementById(id);
  }
  return null;
}

// On load only: later, the card is open before the browser scrolls to the input.
function follow() {
  show(location.hash)?.scrollIntoView({ block: "center" });
}


function start() {
  cards().forEach(prepare);
  cards()
    .filter((card) => card.querySelector('[data-carried] > [name$="-DELETE"]'))
    .forEach(equip);
  arrange();
  group.querySelector("[data-scripted]").hidden = false;
  group.addEventListener("click", press);
  group.addEventListener("input", number);
  group.addEventListener("input", retell);
  // Another script requests a question to fill in, perhaps behind all others. It receives
  // the card, and the number that the question will have once it is filled in.
  group.addEventListener("questions:add", ({ detail }) => {
    const all = kept();
    detail.card = (detail.isLast ? all.slice(-1) : all).find(isBlank) ?? add();
    detail.number = all.filter((card) => !isBlank(card)).length + 1;
    openOnly(detail.card);
  });
  group.closest("form").addEventListener("submit", remember);
  group.closest("form").addEventListener("draft:merged", merge);
  group.closest("form").addEventListener("draft:followed", ({ detail }) => {
    group.querySelectorAll(".removed").forEach((each) => Object.assign(each.followed, detail));
  });
  addEventListener("hashchange", () => show(location.hash));
  recall();
  follow();
}

function press({ target }) {
  const button = target.closest("button");
  const card = target.closest(".question");
  if (button?.matches("[data-add]")) {
    find(add(), "text").focus();
  } else if (button?.matches("[data-fold]")) {
    if (isOpen(card)) {
      open(card, false);
    } else {
      openOnly(card);
    }
  } else if (button?.matches("[data-move]")) {
    move(card, button.dataset.move);
  } else if (button?.matches("[data-remove]")) {
    remove(card);
  } else if (button?.matches("[data-bring-back]")) {
    bringBack(button.closest(".removed"));
  }
}

if (group) {
  start();
}
