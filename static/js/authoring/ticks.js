// Adds a tick list: a yes/no question for each item, behind all others, one of which is
// drawn at random. Without this script they are written like other questions.

const box = document.querySelector("[data-tick-list]");
const input = (name) => box.querySelector(`#tick-list-${name}`);

function addItem(group, text, list) {
  const asked = { isLast: true };
  group.dispatchEvent(new CustomEvent("questions:add", { detail: asked }));
  const { family, epsilon } = input("strength").selectedOptions[0].dataset;
  const find = (name) => asked.card.querySelector(`[name$="-${name}"]`);
  find("text").value = text;
  find("tick_list").value = list;
  find("family").value = family;
  find("skip").checked = false; // nothing ticked is an answer
  if (find(`${family}__epsilon`)) {
    find(`${family}__epsilon`).value = epsilon;
  }
  find("text").dispatchEvent(new Event("input", { bubbles: true }));
  find("family").dispatchEvent(new Event("change", { bubbles: true }));
  return asked.number;
}

function addList() {
  const text = input("text").value.trim();
  const items = input("items").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const isWhole = text && items.length > 1 && items.length <= Number(box.dataset.most);
  input("problem").hidden = isWhole && new Set(items).size === items.length;
  if (!input("problem").hidden) {
    return;
  }
  const group = box.closest("[data-questions]");
  const numbers = items.map((item, index) => addItem(group, item, index ? "" : text));
  const [first, last] = [numbers[0], numbers.at(-1)];
  const draws = document.querySelector("#id_draws");
  draws.value = [draws.value.trim(), `1 of ${first}-${last}`].filter(Boolean).join("; ");
  draws.dispatchEvent(new Event("input", { bubbles: true }));
  input("text").value = "";
  input("items").value = "";
  group.querySelector("[data-announcement]").textContent = box.dataset.added
    .replace("{first}", first)
    .replace("{last}", last);
}

// Missing if questions can only be read.
if (box) {
  box.hidden = false;
  box.querySelector("[data-add-list]").addEventListener("click", addList);
}
