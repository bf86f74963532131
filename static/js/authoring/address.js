// Reports whether an address was typed or made from the title by Django's script. If it
// is taken, the server replaces a made address and refuses a typed one with its reason.

const form = document.querySelector("#survey_form");
const address = form?.elements.slug;
const made = form?.elements.made_address;

if (address && made) {
  let isTyped = address.value !== made.value;
  address.addEventListener("input", () => {
    isTyped = true;
  });
  form.addEventListener("submit", () => {
    made.value = isTyped ? "" : address.value;
  });
}
