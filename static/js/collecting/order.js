// Random order, drawn on the respondent's device. Only the display changes: reports are sent
// in the survey's own order, so the random order is not disclosed.

const all = (selector, parent) => Array.from(parent.querySelectorAll(selector));

export function shuffle(items) {
  const keys = crypto.getRandomValues(new Uint32Array(items.length));
  return items.map((item, index) => [keys[index], item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

// The elements swap places; everything between them stays in place.
function rearrange(elements) {
  const places = elements.map((each) => each.parentNode.insertBefore(document.createComment(""), each));
  shuffle(elements).forEach((each, index) => places[index].replaceWith(each));
}

export function reorder(root) {
  const questions = all("[data-question]", root), sections = {};
  questions.filter(({ dataset }) => "shuffled" in dataset).forEach((each) => {
    const { section } = each.dataset;
    sections[section] = (sections[section] || []).concat(each);
  });
  Object.values(sections).forEach(rearrange);
  all("[data-shuffled-choices]", root).forEach((group) => {
    rearrange(all(".choice:not([data-last])", group));
    all("[aria-posinset]", group).forEach((radio, index) => radio.setAttribute("aria-posinset", index + 1));
  });
  // The answers to check are listed in the order of the questions on the page.
  all("[data-question]", root).forEach(({ dataset }) => {
    const row = root.querySelector(`[data-answer="${dataset.number}"]`).closest("div");
    row.parentNode.append(row);
  });
}
