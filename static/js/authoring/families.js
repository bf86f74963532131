// Shows, of every question, only the inputs of its chosen mechanism. Without this
// script all are shown, each group under the name of its mechanism.

function show(question) {
  const chosen = question.querySelector('select[name$="-family"]').value;
  for (const group of question.querySelectorAll("[data-families]")) {
    group.hidden = !group.dataset.families.split(" ").includes(chosen);
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches('select[name$="-family"]')) {
    show(event.target.closest(".question"));
  }
});

// A question added later is a copy of the hidden empty one, which this covers too.
document.querySelectorAll(".inline-related.question").forEach(show);

document.addEventListener("formset:added", (event) => {
  show(event.target);
  event.target.querySelector("textarea").focus();
});
