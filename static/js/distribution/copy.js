// A button for whatever can be copied. Without JavaScript people select it by hand.

async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Browsers have no clipboard for pages without HTTPS; the selection is there.
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
