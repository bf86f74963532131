// One-time links. The token stands behind the # of the address, a part that browsers send
// to nobody. It is taken from there at once and held in memory; from the first try to send
// until the server has it, also in the message that this browser keeps.

const TOKEN = /^[\w-]{22}$/;
const TOKEN_LENGTH = 22;

const token = location.hash.slice(1, TOKEN_LENGTH + 1); // mail programs append a dot
const isWhole = TOKEN.test(token);
// Before the page has loaded: an address that changes later makes browsers ask for its
// icon once more, now and then.
history.replaceState(history.state, "", location.pathname);

export async function take(design) {
  // A reload finds its place again, but no token: who had not sent opens the link again.
  const place = isWhole ? await placeOf(design, token) : history.state?.place;
  return {
    place,

    // Asked for when reports have been drawn. If another tab has used the link meanwhile,
    // they must not leave: two sets of reports tell more than one.
    fields() {
      if (!read(place)) return { invitation: token };
      location.reload();
      throw new Error("This link has been used in another tab.");
    },

    // The message stays: sent again by this link, it is the same and not a second draw.
    refuse: () => tell("unknown"),

    begin(attempt) {
      const before = read(place);
      if (before?.recorded) tell("used");
      else if (!before && !isWhole) tell("missing");
      sendLeft(design, place, attempt);
    },
  };
}

// The place of a message must not tell whose it is, and every link needs its own: people
// share devices. Only who has the token can name the place.
async function placeOf(design, token) {
  const named = new TextEncoder().encode(design + token);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", named));
  return `candor ${design} ${btoa(String.fromCharCode(...hash))}`;
}

function read(place) {
  try { return JSON.parse(localStorage[place]); } catch { return null; }
}

let told = false;

// A notice is the end: no screen comes beside it. Asked before respond.js shows one.
addEventListener("popstate", (event) => told && event.stopImmediatePropagation());

function tell(what) {
  told = true;
  const notice = document.querySelector(`[data-link=${what}]`);
  const heading = notice.querySelector("h1");
  for (const each of document.querySelectorAll("[data-screen], [data-start]")) {
    each.hidden = true;
  }
  notice.hidden = false;
  document.title = heading.textContent;
  heading.focus();
}

// What somebody else has left unsent on this device. Sent twice, it counts once.
async function sendLeft(design, place, attempt) {
  try {
    for (const each of Object.keys(localStorage)) {
      if (each === place || !each.startsWith(`candor ${design} `)) continue;
      const { body } = read(each);
      if (body && await attempt(body) === "recorded") {
        localStorage[each] = JSON.stringify({ body: "", recorded: true });
      }
    }
  } catch { /* storage is switched off: nothing is left */ }
}

// Another link of the same survey, opened in the same tab, loads no page by itself.
addEventListener("hashchange", () => location.reload());
