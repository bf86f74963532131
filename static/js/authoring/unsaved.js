// Detects unsaved changes, and asks before the page is left. It compares what would be
// posted, so it does not depend on particular inputs or on other scripts.

const form = document.querySelector("#survey_form");
const state = document.querySelector("[data-saved]");
const DELAY = 300; // milliseconds in which other scripts finish
const LEFT = `draft-left:${location.pathname}`;
// Inputs that no one types: numbers of forms, keys, versions and the token.
const ASIDE = /^(csrfmiddlewaretoken|version|made_address)$|-(TOTAL_FORMS|INITIAL_FORMS|id)$/;

let loaded; // the version that the server sent
let saved;
let notified; // state that other scripts know
let isLeaving = false;
let waiting;

function written(data) {
  const pairs = [...data].filter(([name]) => !ASIDE.test(name));
  return JSON.stringify(pairs);
}

// Whether an input differs from what was loaded: browsers restore input after Back.
function differs(input) {
  if (input.matches("select")) {
    const options = [...input.options];
    const isMeant = options.some((each) => each.defaultSelected);
    return isMeant && options.some((each) => each.selected !== each.defaultSelected);
  }
  if (input.matches('[type="checkbox"], [type="radio"]')) {
    return input.checked !== input.defaultChecked;
  }
  return input.matches("input, textarea") && input.value !== input.defaultValue;
}

function isFilledInAgain() {
  const inputs = [...form.elements].filter(({ name }) => name && !name.endsWith("-position"));
  return inputs.some(differs);
}

function isUnsaved() {
  return written(new FormData(form)) !== saved;
}

// Returns a hash, to compare texts without storing them where others may read them.
function printOf(text) {
  return [...text].reduce((sum, each) => (Math.imul(sum, 31) + each.codePointAt(0)) | 0, 0);
}

// Remembers the form when it is left: the versions it is based on, and a hash of its input.
function leave() {
  const print = printOf(written(new FormData(form)));
  sessionStorage.setItem(LEFT, JSON.stringify([form.elements.version.value, print]));
}

// The browser reloads the page and restores the input of the old one. A save by the old
// page may still be on its way: if all of its input is here, that save is not another
// user's. And what others saved since is not in the restored input.
function comeBack() {
  const { version } = form.elements;
  const [left, print] = JSON.parse(sessionStorage.getItem(LEFT)) ?? [];
  if (!left || version.value !== loaded || !isFilledInAgain()) {
    return;
  }
  const isWhole = print === printOf(written(new FormData(form)));
  if (isWhole || !left.split(" ").includes(loaded)) {
    version.value = left;
  }
}

function look() {
  const now = written(new FormData(form));
  if (now !== saved && now !== notified) {
    notified = now;
    form.dispatchEvent(new CustomEvent("draft:changed"));
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(look, DELAY);
}

function start() {
  loaded = form.elements.version?.value;
  const isOld = "unsaved" in state.dataset || isFilledInAgain();
  saved = isOld ? "" : written(new FormData(form));
  for (const name of ["input", "change", "click"]) {
    form.addEventListener(name, soon);
  }
  // Other scripts add, remove and move questions without an event.
  new MutationObserver(soon).observe(form, { childList: true, subtree: true });
  // Compare with what was posted, since more may have been typed by now.
  form.addEventListener("draft:saved", ({ detail }) => {
    saved = notified = written(detail);
    soon();
  });
  form.addEventListener("submit", (event) => {
    isLeaving = !event.defaultPrevented;
  });
  document.addEventListener("click", ({ target }) => {
    isLeaving ||= Boolean(target.closest("[data-leave]"));
  });
  addEventListener("beforeunload", (event) => {
    if (!isLeaving && isUnsaved()) {
      event.preventDefault();
    }
  });
  addEventListener("pagehide", () => {
    if (!isLeaving) {
      look();
      form.dispatchEvent(new CustomEvent("draft:left"));
      leave();
    }
  });
  // A page that is restored as it was left can be left again.
  addEventListener("pageshow", () => {
    isLeaving = false;
    comeBack();
  });
  // Chromium restores input after this and, if much is loaded, long before it shows.
  setTimeout(comeBack, DELAY);
  soon();
}

if (form && state) {
  // After all scripts have run their first code.
  document.addEventListener("DOMContentLoaded", start);
}
