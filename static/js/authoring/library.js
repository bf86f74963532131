// Adds questions from the library without leaving the page, in the survey's language.
// Without this script the same links load the page with the question filled in. If a
// survey has many questions, the library is fetched when it is opened.

const library = document.querySelector("[data-library]");
let wordings = {};
const language = document.querySelector("#id_language");

function wordingOf(link) {
  const found = wordings[link.dataset.template];
  return found[language.value] ?? Object.values(found)[0];
}

function showLanguage() {
  for (const link of library.querySelectorAll("[data-template]")) {
    const text = link.closest("li").querySelector("[data-text]");
    text.textContent = wordingOf(link).text;
    text.lang = language.value;
  }
}

function fill(card, { text, choices }) {
  const input = (name) => card.querySelector(`[name$="-${name}"]`);
  const { family, familyOfTwo } = library.dataset;
  input("text").value = text;
  const kinds = card.querySelector("[data-kinds]");
  kinds.value = choices.length ? family : familyOfTwo;
  kinds.dispatchEvent(new Event("change", { bubbles: true }));
  if (choices.length) {
    input(`${family}__choices`).value = choices.join("\n");
  }
  input("text").dispatchEvent(new Event("input", { bubbles: true }));
  input("family").dispatchEvent(new Event("change", { bubbles: true }));
}

function use(link) {
  const asked = { card: null };
  const group = library.closest("[data-questions]");
  group.dispatchEvent(new CustomEvent("questions:add", { detail: asked }));
  fill(asked.card, wordingOf(link));
  const number = asked.card.querySelector("[data-number]").textContent;
  link.classList.add("added");
  link.querySelector("[data-label]").textContent = library.dataset.again;
  group.querySelector("[data-announcement]").textContent = library.dataset.added.replace("{number}", number);
  link.focus();
}

function isPressed(event) {
  return event.type === "click" || event.key === " ";
}

function press(event) {
  const link = event.target.closest("[data-template]");
  if (link && isPressed(event)) {
    event.preventDefault();
    use(link);
  }
}

function begin() {
  const stored = document.getElementById("library-wordings");
  wordings = JSON.parse(stored.textContent);
  for (const link of library.querySelectorAll("[data-template]")) {
    link.setAttribute("role", "button");
  }
  showLanguage();
}

async function load() {
  const place = library.querySelector("[data-entries]");
  try {
    const answer = await fetch(place.dataset.entries, { redirect: "error" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceWith(...page.body.childNodes);
    begin();
  } catch {
    place.querySelector("[data-unreachable]").hidden = false;
  }
}

// Missing if questions can only be read.
if (library) {
  library.addEventListener("click", press);
  library.addEventListener("keydown", press);
  language.addEventListener("change", showLanguage);
  if (library.querySelector("[data-entries]")) {
    library.addEventListener("toggle", () => {
      if (library.open && library.querySelector("[data-entries]")) {
        load();
      }
    });
  } else {
    begin();
  }
}
