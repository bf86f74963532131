// Checks the files without leaving the page, so that the browser keeps them chosen.
// Importing itself is an ordinary form: the server checks all of it once more.

const form = document.getElementById("study");
const wait = form.querySelector("[data-wait]");
const again = form.querySelector("[data-again]");

function show(outcome) {
  document.getElementById("outcome").replaceWith(outcome);
  outcome.querySelector("[tabindex]")?.focus();
}

// A file that was saved anew since it was chosen cannot be read any more.
async function changed() {
  for (const input of form.querySelectorAll("[type=file]")) {
    for (const file of input.files) {
      try {
        await file.slice(0, 1).arrayBuffer();
      } catch {
        return input;
      }
    }
  }
  return null;
}

async function check() {
  const input = await changed();
  again.hidden = !input;
  if (input) {
    input.value = "";
    show(Object.assign(document.createElement("div"), { id: "outcome" }));
    input.focus();
    return;
  }
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const outcome = page.getElementById("outcome");
  if (!outcome) throw new Error("not the page that was asked for");
  show(outcome);
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.name === "checked") return;
  event.preventDefault();
  wait.hidden = false;
  // Logged out meanwhile, or no connection: let the browser say so.
  check()
    .catch(() => form.submit())
    .finally(() => { wait.hidden = true; });
});

// What was found out about other files is no longer true.
form.addEventListener("change", () => {
  again.hidden = true;
  document.getElementById("outcome").replaceChildren();
});
