// A page contains a survey in all its languages. This script chooses the language on the
// device; the choice is neither sent nor stored, and a reload chooses again.

const root = document.documentElement;
const templates = Array.from(document.querySelectorAll("template[data-language]"));
const leave = document.querySelector("[data-leave]");

// The page arrives in the main language.
function keepOriginal() {
  const original = document.createElement("template"), { lang, dir } = root;
  Object.assign(original, { lang, dir });
  Object.assign(original.dataset, { language: lang, title: document.title });
  Array.from(document.body.children)
    .filter((each) => !templates.includes(each))
    .forEach((each) => original.content.append(each.cloneNode(true)));
  templates.push(original);
}

const find = (language) => templates.find(({ dataset }) => dataset.language === language);

function speak(language) {
  const { lang, dir, content, dataset } = find(language);
  Object.assign(root, { lang, dir });
  document.title = dataset.title;
  document.body.textContent = "";
  document.body.append(document.importNode(content, true));
  // leave.js refers to the original link.
  const translated = document.querySelector("[data-leave]");
  leave.innerHTML = translated.innerHTML;
  translated.replaceWith(leave);
}

// Chooses the browser's first language that the survey has; "de-AT" counts as German.
export function speakAsBrowser() {
  const wished = navigator.languages || [navigator.language];
  const language = wished.map((each) => each.split("-")[0].toLowerCase()).find(find);
  if (language && language !== root.lang) speak(language);
}

// Calls `begin` after each change of language.
export function offer(begin) {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-languages] button");
    if (!button || button.value === root.lang) return;
    speak(button.value);
    begin();
    document.querySelector("h1").focus();
  });
  // When respondents go back to the welcome, they may already have chosen answers.
  addEventListener("popstate", () => {
    document.querySelectorAll("[data-languages]").forEach((each) => { each.hidden = true; });
  });
}

keepOriginal();
