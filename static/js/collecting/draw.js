// For surveys that ask each respondent only some of their questions, drawn at random before
// anything is answered. The draw is stored in sessionStorage, which ends with the tab, so
// that reload and Back do not draw again.

// As draw_asked in candor/mechanisms/draws.py. `groups` are [number to ask, [places]].
export function drawAsked(count, groups, uniformBelow) {
  const asked = Array(count).fill(1);
  groups.forEach(([wanted, places]) => {
    places.forEach((place, index) => {
      asked[place] = Number(uniformBelow(places.length - index) < wanted);
      wanted -= asked[place];
    });
  });
  return asked.join("");
}

// Returns what this tab has stored at `place`; otherwise stores and returns `make()`.
export function once(place, make, fits) {
  let kept;
  try { kept = sessionStorage[place]; } catch (error) { /* off: in memory, until a reload */ }
  if (kept && fits(kept)) return kept;
  kept = make();
  try { sessionStorage[place] = kept; } catch (error) { /* off */ }
  return kept;
}

// Mode browser. A stored draw may not fit, because the draft of a test may have changed.
export function leaveOut({ groups }, questions, place, uniformBelow) {
  const sizes = (asked) => groups.every(
    ([wanted, places]) => places.filter((each) => asked[each] === "1").length === wanted
  );
  const made = drawAsked(questions.length, groups, uniformBelow);
  const asked = once(
    place, () => made, (kept) => kept.length === questions.length && sizes(kept)
  );
  questions.forEach((question, index) => { question.isLeftOut = asked[index] === "0"; });
  arrange(asked);
}

// `asked` has "0" or "1" for each question. A question that is not asked has no screen and
// no line among the answers to check, and is not sent with a form.
export function arrange(asked) {
  const form = document.forms[0];
  document.querySelectorAll("[data-question]").forEach((screen) => {
    const { number, ticks } = screen.dataset;
    const isAsked = ticks !== undefined || asked[number - 1] === "1";
    set(screen, "data-screen", isAsked && "question");
    document.querySelector(`[data-answer="${number}"]`).closest("div").hidden = !isAsked;
    screen.hidden = !(isAsked && form);
    screen.querySelector("fieldset").disabled = !isAsked;
  });
  document.querySelectorAll("[data-opens]").forEach((screen) => {
    const { opens } = screen.dataset;
    const isAsked = document.querySelector(`[data-screen=question][data-section="${opens}"]`);
    set(screen, "data-screen", isAsked && "section");
    screen.hidden = !(isAsked && form);
  });
}

function set(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
