// Shows a text as respondents will see it, and fills in the suggested text. Both come
// from the server: only the server knows Markdown and the languages.

const tools = document.querySelector("[data-texts]");
const value = (name) => document.querySelector(`#id_${name}`).value;

async function ask(text) {
  const body = new FormData();
  body.set("text", text);
  for (const name of ["title", "organiser", "contact", "language"]) {
    body.set(name, value(name));
  }
  const token = document.querySelector('[name="csrfmiddlewaretoken"]').value;
  const headers = { "X-CSRFToken": token };
  try {
    const { address } = tools.dataset;
    const answer = await fetch(address, { method: "POST", body, headers, redirect: "error" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function preview(bar, input) {
  const shown = bar.querySelector("[data-shown]");
  const button = bar.querySelector("[data-preview]");
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", !isOpen);
  shown.hidden = isOpen;
  if (isOpen) {
    return;
  }
  const found = await ask(input.value);
  // The server allows only paragraphs, emphasis, lists, quotations and links.
  shown.innerHTML = found?.html ?? "";
  if (!shown.textContent.trim()) {
    shown.textContent = found ? tools.dataset.empty : tools.dataset.unreachable;
  }
}

// A text that grows while a pointer is down would move the target of the click away.
async function waitForRelease() {
  while (document.querySelector(":active")) {
    await new Promise(requestAnimationFrame);
  }
}

async function suggest(bar, input) {
  const focused = document.activeElement;
  const found = await ask("");
  await waitForRelease();
  const announcement = bar.querySelector("[data-announcement]");
  announcement.textContent = found ? tools.dataset.suggested : tools.dataset.unreachable;
  if (!found) {
    return;
  }
  const elsewhere = document.activeElement === focused ? null : document.activeElement;
  input.focus({ preventScroll: elsewhere !== null });
  // As if typed, so that the browser can undo it.
  input.select();
  document.execCommand("insertText", false, found.consent);
  input.setSelectionRange(0, 0);
  elsewhere?.focus({ preventScroll: true });
}

function addTools(name) {
  const input = document.querySelector(`#id_${name}`);
  const bar = tools.content.firstElementChild.cloneNode(true);
  const shown = bar.querySelector("[data-shown]");
  shown.id = `${name}-shown`;
  bar.querySelector("[data-preview]").setAttribute("aria-controls", shown.id);
  bar.querySelector("[data-of]").textContent = input.labels[0].textContent.trim();
  bar.querySelector("[data-suggest]").hidden = name !== "consent";
  input.after(bar);
  bar.querySelector("[data-preview]").addEventListener("click", () => preview(bar, input));
  bar.querySelector("[data-suggest]").addEventListener("click", () => suggest(bar, input));
  input.addEventListener("input", () => {
    // The preview would no longer match the text.
    bar.querySelector("[data-preview]").setAttribute("aria-expanded", "false");
    shown.hidden = true;
  });
}

// Missing if the texts can only be read.
if (tools) {
  addTools("purpose");
  addTools("consent");
}
