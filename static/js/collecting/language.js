// One page holds a survey in all its languages. Which of them is shown is decided here, on
// the device; it is neither sent nor stored, and a reload decides again.

const root = document.documentElement;
const templates = Array.from(document.querySelectorAll("template[data-language]"));
const leave = document.querySelector("[data-leave]");

// The page came in the main language.
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
  // The link that leave.js knows.
  const translated = document.querySelector("[data-leave]");
  leave.innerHTML = translated.innerHTML;
  translated.replaceWith(leave);
}

// The first language of the browser that the survey has: "de-AT" is German too.
export function speakAsBrowser() {
  const wished = navigator.languages || [navigator.language];
  const language = wished.map((each) => each.split("-")[0].toLowerCase()).find(find);
  if (language && language !== root.lang) speak(language);
}

// Calls `begin` with each new page, before anything is chosen.
export function offer(begin) {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-languages] button");
    if (!button || button.value === root.lang) return;
    speak(button.value);
    begin();
    document.querySelector("h1").focus();
  });
  // Back at the welcome, something may have been chosen.
  addEventListener("popstate", () => {
    document.querySelectorAll("[data-languages]").forEach((each) => { each.hidden = true; });
  });
}

keepOriginal();
