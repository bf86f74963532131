// A button that copies a text. Without JavaScript, users select it by hand.

async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without HTTPS there is no clipboard; the text stays selected.
    document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(field);
    button.nextElementSibling.textContent = button.dataset.done;
  });
}
