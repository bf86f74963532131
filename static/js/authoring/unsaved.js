// Knows whether the form holds anything that is not saved, and asks before it is left.
// It looks at what would be posted, so it depends on no input and on no other script.

const form = document.querySelector("#survey_form");
const state = document.querySelector("[data-saved]");
const DELAY = 300; // milliseconds in which other scripts have done what they do
// Not what somebody wrote: how many questions the page holds, and who posts it.
const LEFT = `draft-left:${location.pathname}`;
const ASIDE = /^(csrfmiddlewaretoken|version|made_address)$|-(TOTAL_FORMS|INITIAL_FORMS|id)$/;

let loaded; // the version that the server sent
let saved;
let told; // what others were told of already
let isLeaving = false;
let waiting;

function written(data) {
  const pairs = [...data].filter(([name]) => !ASIDE.test(name));
  return JSON.stringify(pairs);
}

// Browsers fill in again what was typed before a page was left.
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

// Tells one text from another, and keeps nothing of it where others may read.
function printOf(text) {
  return [...text].reduce((sum, each) => (Math.imul(sum, 31) + each.codePointAt(0)) | 0, 0);
}

// As what the form is left: on which versions of the draft it is based, and what it holds.
function leave() {
  const print = printOf(written(new FormData(form)));
  sessionStorage.setItem(LEFT, JSON.stringify([form.elements.version.value, print]));
}

// The browser loads the page anew and fills in again what was typed on the old one. What
// the old page saved while it was left may still be on its way: if all of it is here,
// that is no other's. And what others saved since is not in what is filled in.
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
  if (now !== saved && now !== told) {
    told = now;
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
  // Questions come, go and move by scripts of others, which tell nobody.
  new MutationObserver(soon).observe(form, { childList: true, subtree: true });
  // With what was posted, since more may have been typed by now.
  form.addEventListener("draft:saved", ({ detail }) => {
    saved = told = written(detail);
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
  // Whoever comes back to the page as it was left may leave it again.
  addEventListener("pageshow", () => {
    isLeaving = false;
    comeBack();
  });
  // Chromium fills in again after this and, if much is loaded, long before it shows.
  setTimeout(comeBack, DELAY);
  soon();
}

if (form && state) {
  // When all scripts have done at first what they do.
  document.addEventListener("DOMContentLoaded", start);
}
