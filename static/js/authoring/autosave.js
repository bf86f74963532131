// Saves a draft while it is edited. As for the button, the server stores all of it or
// nothing. Its message is shown next to the button, and read out only for problems.

const DELAY = 1500; // milliseconds without a change: a pause, not each keystroke
const AT_ONCE = 100; // milliseconds, for what was merged
const AGAIN = 10_000; // until the next attempt where the server cannot be reached
const MOST_KEPT = 60_000; // bytes; for a page that was left, browsers send at most 64 KiB

const form = document.querySelector("#survey_form");
const state = document.querySelector("[data-saved]");
const aloud = document.querySelector("[data-saved-aloud]");
const notice = document.querySelector("[data-conflict]");

let waiting = null;
let sending = null;
let isLeft = false;
let isClosed = false; // the draft accepts nothing from this page, which can only be copied
let isPressed = false;
let isSure = false; // the button will not lead to a login page
let isSaved = false; // the last request saved the draft
let isStopped = Boolean(notice?.firstElementChild);

function say(text, { isProblem = false } = {}) {
  state.textContent = text;
  state.classList.toggle("problem", isProblem);
  const heard = isProblem ? text : "";
  if (aloud.textContent !== heard) {
    aloud.textContent = heard;
  }
}

function soon(delay = DELAY) {
  clearTimeout(waiting);
  waiting = setTimeout(save, delay);
}

// A new login in another window changes the token, also for the button.
function renewToken() {
  const [, token] = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/) ?? [];
  if (token) {
    form.elements.csrfmiddlewaretoken.value = token;
  }
}

// The page chooses the version number of its save, of eight digits, and sends those on
// which it is based: so it recognises its own save even if no answer came.
function newVersion() {
  const [high, middle, low] = crypto.getRandomValues(new Uint8Array(3));
  return (1 << 24) | (high << 16) | (middle << 8) | low;
}

// Returns the unanswered versions before and after a save; null if a later save has been
// answered.
function around(own) {
  const [before, after] = form.elements.version.value.split(` ${own}`);
  return after === undefined ? null : { before, after };
}

// New questions are stored now and removed ones deleted: the inputs get their keys. Lines
// that name questions by number have been renumbered for those that moved.
function note(sent, { questions, followed }) {
  for (const [name, line] of Object.entries(followed)) {
    const input = form.elements[name];
    if (input.value === sent.get(name)) {
      input.value = line;
      sent.set(name, line);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  form.dispatchEvent(new CustomEvent("draft:followed", { detail: followed }));
  for (const [name] of sent) {
    const [, number] = name.match(/^questions-(\d+)-id$/) ?? [];
    const key = form.elements[name];
    if (number && key) {
      key.value = questions[number] ?? "";
    }
  }
}

// Puts what others saved into the inputs, unless one of them has changed since it was
// sent: then the server is asked again.
function takeOver(sent, { changes, message, version }, after) {
  const isTyped = ([name]) => (new FormData(form).get(name) ?? "") !== (sent.get(name) ?? "");
  if (!Object.entries(changes).some(isTyped)) {
    form.dispatchEvent(new CustomEvent("draft:merged", { detail: changes }));
    form.elements.version.value = version + after;
    say(message);
  }
  soon(AT_ONCE);
}

function refuse(message, { isFinal = false } = {}) {
  isStopped = true;
  isClosed = isFinal;
  say(message, { isProblem: true });
}

function take(found, sent, { before, after }) {
  const { version } = form.elements;
  if (found.outcome === "saved") {
    isSaved = true;
    version.value = found.version + after;
    note(sent, found);
    document.querySelector("#content h1").textContent = found.title;
    say(found.message);
    form.dispatchEvent(new CustomEvent("draft:saved", { detail: sent }));
  } else if (found.outcome === "merged") {
    version.value = before + after;
    takeOver(sent, found, after);
  } else if (found.outcome === "conflict" && after) {
    version.value = before + after; // replaced by the save when the page was left
  } else if (found.outcome === "conflict") {
    notice.innerHTML = found.notice;
    refuse(found.message);
    state.append(document.querySelector("[data-choose]").content.cloneNode(true));
  } else {
    version.value = before + after;
    say(found.message, { isProblem: true });
  }
}

async function hear(answer, sent, own) {
  if (answer.type === "opaqueredirect") {
    say(state.dataset.loggedOut, { isProblem: true });
    soon(AGAIN);
  } else if (answer.ok) {
    const found = await answer.json();
    const others = around(own);
    if (others) {
      take(found, sent, others);
    }
  } else if (answer.status === 404) {
    refuse(state.dataset.gone, { isFinal: true });
  } else if (answer.status === 403) {
    const isJson = answer.headers.get("Content-Type").startsWith("application/json");
    const message = isJson ? (await answer.json()).message : state.dataset.refused;
    refuse(message, { isFinal: true });
  } else {
    throw new Error(`status ${answer.status}`);
  }
}

function ask(own, { isLast = false } = {}) {
  renewToken();
  const body = new URLSearchParams(new FormData(form));
  body.set("_autosave", "on");
  body.set("becomes", own);
  form.elements.version.value += ` ${own}`;
  const keepalive = isLast && String(body).length < MOST_KEPT;
  return fetch(form.action, { method: "POST", body, keepalive, redirect: "manual" });
}

async function post() {
  const sent = new FormData(form);
  const own = newVersion();
  try {
    await hear(await ask(own), sent, own);
  } catch {
    say(state.dataset.unreachable, { isProblem: true });
    soon(AGAIN);
  }
}

async function save() {
  clearTimeout(waiting);
  waiting = null;
  isSaved = false;
  if (isStopped || isLeft) {
    return;
  }
  if (sending) {
    soon();
    return;
  }
  sending = post();
  await sending;
  sending = null;
}

// Leaving the page does not wait for an answer. If the browser keeps the page, it saves
// again later. The request abandoned now is no reason for another.
function saveLast() {
  const isAsked = waiting && !isStopped;
  if (isAsked) {
    ask(newVersion(), { isLast: true }).catch(() => {});
  }
  isLeft = true;
  addEventListener(
    "pageshow",
    () => {
      isLeft = false;
      if (isAsked) {
        soon();
      }
    },
    { once: true },
  );
}

async function isLoggedOut() {
  try {
    const answer = await fetch(state.dataset.door, { cache: "no-store", redirect: "manual" });
    return answer.type === "opaqueredirect";
  } catch {
    return false; // the browser shows other errors, and keeps the form for Back
  }
}

// The button saves a draft without loading a page. A draft that cannot be saved this way
// is posted, and the next page lists what to fix. A login page instead would lose the
// input, and posting while a save is under way would send the version being replaced.
async function press(button) {
  isPressed = true;
  await sending;
  isSaved = false; // another button has yet to be posted
  if (button?.name === "_continue" && state.dataset.saves === "on" && !isStopped) {
    say("");
    await save();
  }
  if (isSaved) {
    aloud.textContent = state.textContent;
  } else if (await isLoggedOut()) {
    say(state.dataset.loggedOut, { isProblem: true });
    if (state.dataset.saves === "on") {
      soon(AGAIN);
    }
  } else {
    isSure = true;
    form.requestSubmit(button);
    isSure = false;
  }
  isPressed = false;
}

function submit(event) {
  clearTimeout(waiting);
  waiting = null;
  renewToken();
  if (!isSure) {
    event.preventDefault();
  }
  if (!isSure && !isPressed && !isClosed) {
    press(event.submitter);
  }
}

function start() {
  form.addEventListener("draft:left", saveLast);
  form.addEventListener("draft:changed", () => {
    if (!isStopped) {
      if (!state.classList.contains("problem")) {
        say(state.dataset.changed);
      }
      soon();
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && waiting) {
      save();
    }
  });
}

form?.addEventListener("submit", submit);
if (form && state?.dataset.saves === "on") {
  start();
}
