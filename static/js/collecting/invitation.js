// One-time links. The token stands behind the # of the address, a part that browsers send
// to nobody. It is taken from there at once and held in memory; from the first try to send
// until the server has it, also in the message that this browser keeps.

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // base 32, after D. Crockford
const BETWEEN = /[ \u00a0\u2010-\u2015\u2212-]/g;
const WHOLE = /^[0-9A-TV-Za-tv-z]{28}$/;
const OLD = /^[A-Za-z0-9_-]{22}$/;
const PIECE = new RegExp("^[A]{0,4}(?:-[A]{4}){3,4}(?:-[A]{0,4})?$".replace(/A/g, ALPHABET));
const CHECKS = 3; // characters
const PRIME = 4294967291; // the largest below 2 ** 32

// Mail programs append dots and brackets.
export const written = location.hash.slice(1).match(/^[\w-]*/)[0];
const token = readToken(written);
// Before the page has loaded: an address that changes later makes browsers ask for its
// icon once more, now and then.
history.replaceState(history.state, "", location.pathname + location.search);

// This and `fits`: twins of respondents/tokens.py.
export function readToken(text) {
  const characters = text.replace(BETWEEN, "");
  if (!WHOLE.test(characters)) return OLD.test(text) && !PIECE.test(text) ? text : "";
  const meant = characters.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1");
  return meant.match(/.{4}/g).join("-");
}

// Without https there is no SHA-256, and the server tells.
export async function fits(token, design) {
  if (OLD.test(token) || !crypto.subtle) return true;
  const characters = token.replace(/-/g, "");
  const random = characters.slice(0, -CHECKS);
  const [high, low] = await sha256(`candor one-time link ${design} ${random}`);
  const first = (high * 256 + low) >> 1;
  const check = [10, 5, 0].map((shift) => ALPHABET[(first >> shift) & 31]).join("");
  return characters.slice(-CHECKS) === check;
}

export async function take(design) {
  const isOurs = Boolean(token) && await fits(token, design);
  const fault = written ? "unknown" : "missing";
  // A reload finds its place again, but no token: who had not sent opens the link again.
  const left = written || !history.state ? undefined : history.state.place;
  const place = isOurs ? await placeOf(design, token) : left;
  return {
    place,

    // Asked for when reports have been drawn. If another tab has used the link meanwhile,
    // they must not leave: two sets of reports tell more than one.
    fields() {
      if (!read(place)) return { invitation: token };
      location.reload();
      throw new Error("This link has been used in another tab.");
    },

    refuse,

    begin(attempt) {
      const before = read(place);
      if (before && before.recorded) tell("used");
      else if (!before && !isOurs) tell(fault);
      sendLeft(design, place, attempt);
    },
  };
}

// The place of a message must not tell whose it is, and every link needs its own: people
// share devices. Only who has the token can name the place. Without https a remainder does,
// 32 bits of which no token follows.
async function placeOf(design, token) {
  const name = crypto.subtle
    ? btoa(String.fromCharCode(...await sha256(design + token)))
    : [...token].reduce((sum, each) => (31 * sum + each.charCodeAt(0)) % PRIME, 0);
  return `candor ${design} ${name}`;
}

async function sha256(text) {
  const named = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", named));
}

function read(place) {
  try { return JSON.parse(localStorage[place]); } catch (error) { return null; }
}

export function refuse() {
  tell("unknown");
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

// What somebody else has left unsent on this device. Sent twice, it counts once; what is
// refused or comes too late will never be taken, and goes.
async function sendLeft(design, place, attempt) {
  try {
    for (const each of Object.keys(localStorage)) {
      if (each === place || !each.startsWith(`candor ${design} `)) continue;
      const { body } = read(each), state = body ? await attempt(body) : "";
      if (state === "recorded") localStorage[each] = JSON.stringify({ recorded: true });
      else if (state === "refused" || state === "closed") localStorage.removeItem(each);
    }
  } catch (error) { /* storage is switched off: nothing is left */ }
}

// Another link of the same survey, opened in the same tab, loads no page by itself.
addEventListener("hashchange", () => location.reload());
