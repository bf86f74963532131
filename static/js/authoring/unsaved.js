// Knows whether the form holds anything that is not saved, and asks before it is left.
// It looks at what would be posted, so it depends on no input and on no other script.

const form = document.querySelector("#survey_form");
const state = document.querySelector("[data-saved]");
const DELAY = 300; // milliseconds in which other scripts have done what they do
// Not what somebody wrote: how many questions the page holds, and who posts it.
const ASIDE = /^(csrfmiddlewaretoken|version|made_address)$|-(TOTAL_FORMS|INITIAL_FORMS|id)$/;

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
  // Whoever comes back to the page as it was left may leave it again.
  addEventListener("pageshow", () => {
    isLeaving = false;
  });
  soon();
}

if (form && state) {
  // When all scripts have done at first what they do.
  document.addEventListener("DOMContentLoaded", start);
}
