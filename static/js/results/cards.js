// Loads the next cards when their link is almost visible.

const NEAR = "600px";

const cards = document.querySelector("[data-cards]");

function follow(link) {
  const watch = new IntersectionObserver(
    async ([seen]) => {
      if (seen.isIntersecting) {
        watch.disconnect();
        await load(link);
      }
    },
    { rootMargin: NEAR },
  );
  watch.observe(link);
}

async function load(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) {
    return; // the link is still there
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const card of [...page.querySelector("[data-cards]").children]) {
    cards.append(card);
    document.querySelector(`.shares a[href$="#${card.id}"]`)?.setAttribute("href", `#${card.id}`);
  }
  const next = page.querySelector("[data-next]");
  if (next) {
    link.replaceWith(next);
    follow(next);
  } else {
    link.parentElement.remove();
  }
}

follow(document.querySelector("[data-next]"));
