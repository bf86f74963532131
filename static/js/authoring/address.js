// Says whether an address was made from the title, by Django's script, or typed. A made
// one that is taken is changed by itself; a typed one is refused, with its reason.

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
