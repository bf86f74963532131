// Adds, moves and removes questions, all by buttons. Inputs keep the number in their
// names for good: places travel in the order inputs, and what is removed is marked, so
// that nothing typed can end up in another question, and a removal can be undone.

// None where questions can only be read.
const group = document.querySelector("[data-questions]");
const list = group?.querySelector("[data-list]");
const total = group?.querySelector('[name$="-TOTAL_FORMS"]');
const blank = list?.querySelector(".empty-form");
const message = group?.dataset;

const find = (card, name) => card.querySelector(`[name$="-${name}"]`);
const isRemoved = (card) => find(card, "DELETE").checked;
const isBlank = (card) => !find(card, "id").value && !find(card, "text").value.trim();

function cards() {
  return [...list.querySelectorAll(".question:not(.empty-form)")];
}

function kept() {
  return cards().filter((card) => !isRemoved(card));
}

function say(text, values = {}) {
  const filled = text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  group.querySelector("[data-said]").textContent = filled;
}

// An untouched question gets no place: it would count as written and then be refused.
function number() {
  kept().forEach((card, index, all) => {
    card.querySelector("[data-number]").textContent = index + 1;
    find(card, "position").value = isBlank(card) ? "" : index + 1;
    card.querySelector("[data-move=up]").setAttribute("aria-disabled", index === 0);
    card.querySelector("[data-move=down]").setAttribute("aria-disabled", index === all.length - 1);
  });
}

function add() {
  const holder = document.createElement("template");
  holder.innerHTML = blank.outerHTML.replaceAll("__prefix__", total.value);
  const card = holder.content.firstElementChild;
  card.classList.remove("empty-form", "last-related");
  card.id = `questions-${total.value}`;
  total.value = Number(total.value) + 1;
  blank.before(card);
  prepare(card);
  number();
  card.dispatchEvent(new CustomEvent("formset:added", { bubbles: true }));
  return card;
}

// The neighbour is what moves: a button that stays where it is keeps the focus.
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
  card.scrollIntoView({ block: "nearest" });
  say(message.moved, { number: kept().indexOf(card) + 1, count: all.length });
}

function remove(card) {
  const place = kept().indexOf(card);
  const notice = group.querySelector("[data-undo]").content.firstElementChild.cloneNode(true);
  notice.querySelector("[data-text]").textContent = find(card, "text").value;
  notice.card = card;
  find(card, "DELETE").checked = true;
  card.hidden = true;
  card.before(notice);
  // Behind all others: a question that is gone has no number.
  blank.after(card);
  number();
  notice.querySelector("button").focus();
  say(message.removed, { number: place + 1 });
}

function bringBack(notice) {
  const { card } = notice;
  find(card, "DELETE").checked = false;
  card.hidden = false;
  notice.replaceWith(card);
  number();
  find(card, "text").focus();
  say(message.back, { number: kept().indexOf(card) + 1 });
}

function prepare(card) {
  card.querySelector("[data-tools]").hidden = false;
  card.querySelector(".delete").hidden = true;
  find(card, "position").closest(".field").hidden = true;
}

// After an error, cards come in the order of their inputs, not of their places.
function sort() {
  const placed = (card) => Number(find(card, "position").value) || Infinity;
  const order = cards().sort((one, other) => placed(one) - placed(other) || 0);
  order.forEach((card) => blank.before(card));
}

function start() {
  cards().forEach(prepare);
  sort();
  cards().filter(isRemoved).forEach((card) => {
    card.hidden = true;
    blank.after(card);
  });
  number();
  group.querySelector("[data-scripted]").hidden = false;
  group.addEventListener("click", press);
  group.addEventListener("input", number);
  // Another script asks for a question to fill in, and is told which card it is.
  group.addEventListener("questions:add", ({ detail }) => {
    detail.card = kept().find(isBlank) ?? add();
  });
}

function press({ target }) {
  const button = target.closest("button");
  const card = target.closest(".question");
  if (button?.matches("[data-add]")) {
    find(add(), "text").focus();
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
