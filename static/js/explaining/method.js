// The trial and "test the coin yourself" on the page that explains the method.

const part = document.querySelector("[data-randomise]");
const tables = JSON.parse(document.getElementById("tables").textContent);
const { randomise } = await import(part.dataset.randomise);
const { practise } = await import(part.dataset.practise);

practise(part, tables, randomise);
