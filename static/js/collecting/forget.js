// Deletes what the browser has stored: for a closed survey, which accepts no reports, what it
// sent; after a form was sent, which questions were drawn for it.
try {
  const { forget } = document.querySelector("[data-forget]").dataset;
  for (const storage of [localStorage, sessionStorage]) {
    for (const place of Object.keys(storage)) {
      if (place.startsWith(`candor ${forget}`)) storage.removeItem(place);
    }
  }
} catch (error) { /* storage is switched off: nothing was stored */ }
