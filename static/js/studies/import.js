// Checks the files without leaving the page, so that they stay selected. The import itself
// is an ordinary form: the server checks all files again.

const form = document.getElementById("study");
const wait = form.querySelector("[data-wait]");
const again = form.querySelector("[data-again]");
const asked = form.elements.asked;
const file = form.elements.study.closest(".field");

function show(outcome) {
  document.getElementById("outcome").replaceWith(outcome);
  const found = outcome.querySelector("[role=alert]")
    ?? outcome.querySelector("[open] [tabindex='-1'], [tabindex='-1']");
  found?.focus();
}

// A file that was saved after it was selected cannot be read any more.
async function changed() {
  for (const input of form.querySelectorAll("[type=file]")) {
    for (const each of input.files) {
      try {
        await each.slice(0, 1).arrayBuffer();
      } catch {
        return input;
      }
    }
  }
  return null;
}

async function check(submitter) {
  const input = await changed();
  again.hidden = !input;
  if (input) {
    input.value = "";
    show(Object.assign(document.createElement("div"), { id: "outcome" }));
    input.focus();
    return;
  }
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const answer = await fetch(form.action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const outcome = page.getElementById("outcome");
  if (!outcome) throw new Error("not the page that was asked for");
  show(outcome);
}

// Logged out meanwhile, or no connection: let the browser say so.
function submit(submitter) {
  wait.hidden = false;
  return check(submitter)
    .catch(() => form.submit())
    .finally(() => { wait.hidden = true; });
}

form.addEventListener("submit", (event) => {
  // Without confirmation the import would be rejected on another page and lose the files.
  const yes = form.elements.again;
  if (event.submitter?.name === "checked" && (!yes || yes.checked)) return;
  event.preventDefault();
  submit(event.submitter);
});

form.addEventListener("change", async ({ target }) => {
  // A confirmation does not change the check.
  if (target.name === "again") return;
  again.hidden = true;
  if (target.matches("[data-column]")) {
    // Another column has other cells.
    await submit();
    document.getElementById(target.id)?.focus();
  } else if (target.closest("#outcome")) {
    // The check of the previous codes is outdated, and the new codes are not confirmed.
    document.getElementById("read")?.remove();
    if (target.matches("select")) {
      const box = target.closest("fieldset").querySelector("[data-confirmation]");
      if (box) box.checked = false;
    }
  } else {
    // Results of the previous files are outdated.
    document.getElementById("outcome").replaceChildren();
  }
});

// The file of a study serves where no survey was chosen.
function offer() {
  file.hidden = asked.value !== "";
}

asked.addEventListener("change", offer);
offer();
