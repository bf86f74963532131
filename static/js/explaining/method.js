// The trial and "test the coin yourself" on the page that explains the method.

const part = document.querySelector("[data-randomise]");
const tables = JSON.parse(document.getElementById("tables").textContent);

Promise.all([import(part.dataset.randomise), import(part.dataset.practise)])
  .then(([{ randomise }, { practise }]) => practise(part, tables, randomise));
