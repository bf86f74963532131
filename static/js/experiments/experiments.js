// The experiments of "Differential privacy by experiment". Each is a function from the
// sliders to numbers, the calls of the library that give the same numbers, and a
// picture. tests/config/test_experiments.py runs them and compares.

const { exp, log, sqrt, abs, min, max, PI } = Math;
const range = (n, from = 0) => Array.from({ length: n }, (_, k) => from + k);
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const grid = (low, high, steps = 200) => range(steps + 1).map((k) => low + ((high - low) * k) / steps);
const curve = (xs, f) => xs.map((x) => [x, f(x)]);
const bar = (x, y, half) => [[x - half, 0], [x - half, y], [x + half, y], [x + half, 0]];
const level = (y, [low, high]) => [[low, y], [high, y]];

// The normal distribution: its series near 0, its continued fraction in the tails.
export function normalAtMost(x) {
  const density = exp((-x * x) / 2) / sqrt(2 * PI);
  if (abs(x) < 4) {
    let [term, total] = [x, x];
    for (let k = 3; abs(term) > 1e-17; k += 2) {
      total += term *= (x * x) / k;
    }
    return 0.5 + density * total;
  }
  const tail = density / range(60, 1).reduceRight((rest, k) => abs(x) + k / rest, abs(x));
  return x < 0 ? tail : 1 - tail;
}

// Uniform on (0, 1): for pictures only, never for an answer.
const uniform = () => (crypto.getRandomValues(new Uint32Array(1))[0] + 0.5) / 2 ** 32;

function gaussianDelta(sigma, sensitivity, epsilon) {
  const mean = (sensitivity / sigma) ** 2 / 2;
  const spread = sqrt(2 * mean);
  return max(0, normalAtMost((mean - epsilon) / spread) - exp(epsilon) * normalAtMost((-mean - epsilon) / spread));
}

function gaussianSigma(epsilon, delta, sensitivity) {
  let [low, high] = [0, 1];
  while (gaussianDelta(high, 1, epsilon) > delta) {
    [low, high] = [high, 2 * high];
  }
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    [low, high] = gaussianDelta(middle, 1, epsilon) > delta ? [middle, high] : [low, middle];
  }
  return high * sensitivity;
}

function response({ p, q, epsilon, delta }) {
  const factor = exp(epsilon);
  const needed = max(0, p - factor * q, q - factor * p, 1 - p - factor * (1 - q), 1 - q - factor * (1 - p));
  const corner = (1 - delta) / (1 + factor);
  // For each q the largest and the smallest p.
  const most = (x) => min(1, factor * x + delta, 1 - (1 - x - delta) / factor);
  const least = (x) => max(0, (x - delta) / factor, 1 - factor * (1 - x) - delta);
  const qs = [...grid(0, 1), corner, 1 - corner].sort((a, b) => a - b);
  const call = `guarantees.find_best_response(${epsilon}, delta=${delta})`;
  return {
    values: { needed, isPrivate: needed <= delta + 1e-12, bestP: 1 - corner, bestQ: corner },
    calls: [
      [`guarantees.compute_response_delta(${p}, ${q}, epsilon=${epsilon})`, needed],
      [`${call}[0]`, 1 - corner],
    ],
    picture: {
      x: [0, 1],
      y: [0, 1],
      shapes: [
        ["area", [...curve(qs, most), ...curve(qs, least).reverse()]],
        ["track", level(0, [0, 1]).map(([x]) => [x, x])],
        ["point", [[q, p]]],
      ],
    },
  };
}

const SENSITIVITIES = {
  count: () => [1, 1],
  sum: ({ width }) => [width, width],
  mean: ({ width, people }) => [width / people, width / people],
  histogram: () => [2, sqrt(2)],
  counts: ({ queries }) => [queries, sqrt(queries)],
};

function noise({ query, epsilon, delta, width, people, queries }) {
  const [added, squared] = SENSITIVITIES[query]({ width, people, queries });
  const laplace = (sqrt(2) * added) / epsilon;
  const ratio = exp(-epsilon / added);
  // Geometric noise is for whole numbers.
  const geometric = query === "mean" ? NaN : sqrt(2 * ratio) / (1 - ratio);
  const sigma = gaussianSigma(epsilon, 10 ** -delta, squared);
  const widest = 3 * max(laplace, sigma);
  const xs = grid(-widest, widest, 300);
  const asked = `guarantees.compute_sensitivity("${query}", width=${width}, people=${people}, queries=${queries})`;
  const stems = query !== "mean" && widest <= 60 ? range(2 * Math.floor(widest) + 1, -Math.floor(widest)) : [];
  return {
    values: { added, squared, laplace, geometric, sigma },
    calls: [
      [`${asked}[0]`, added],
      [`guarantees.Laplace(${epsilon}, ${added}).standard_deviation`, laplace],
      ...(query === "mean" ? [] : [[`noise.DiscreteLaplace(Fraction("${epsilon}"), ${added}).standard_deviation`, geometric]]),
      [`guarantees.compute_gaussian_sigma(epsilon=${epsilon}, delta=1e-${delta}, sensitivity=${squared})`, sigma],
    ],
    picture: {
      x: [-widest, widest],
      y: [0, (1.1 * epsilon) / (2 * added)],
      shapes: [
        ...stems.map((k) => ["bar", bar(k, ((1 - ratio) / (1 + ratio)) * ratio ** abs(k), 0.3)]),
        ["line", curve(xs, (x) => (epsilon / (2 * added)) * exp((-epsilon * abs(x)) / added))],
        ["second", curve(xs, (x) => exp(-((x / sigma) ** 2) / 2) / (sigma * sqrt(2 * PI)))],
      ],
    },
  };
}

const SIMULATIONS = 2000;

function maximum({ answers, epsilon }, draw = uniform) {
  const scale = 1 / epsilon;
  const expected = scale * sum(range(answers, 1).map((k) => 1 / k));
  const bound = scale * (log(answers) + 1);
  const tail = scale * log(answers / 0.05);
  // The absolute value of Laplace noise is exponential.
  const drawn = range(SIMULATIONS).map(() => scale * range(answers).reduce((most) => max(most, -log(draw())), 0));
  const [highest, bins] = [2 * bound + 3 * scale, 40];
  const counts = range(bins).map(() => 0);
  drawn.forEach((each) => (counts[min(bins - 1, Math.floor((each / highest) * bins))] += 1 / SIMULATIONS));
  const top = 1.1 * max(...counts);
  const step = highest / bins;
  return {
    values: {
      expected,
      bound,
      simulated: sum(drawn) / SIMULATIONS,
      tail,
      beyond: drawn.filter((each) => each > tail).length / SIMULATIONS,
      total: answers * epsilon,
      average: (sqrt(2) * scale) / sqrt(answers),
      once: (sqrt(2) * scale) / answers,
    },
    calls: [
      [`guarantees.compute_expected_maximum(${answers}, scale=1 / ${epsilon})`, expected],
      [`math.log(${answers} / 0.05) / ${epsilon}`, tail],
      [`guarantees.Laplace(${epsilon}).standard_deviation / ${answers} ** 0.5`, (sqrt(2) * scale) / sqrt(answers)],
      [`guarantees.Laplace(${answers} * ${epsilon}).standard_deviation`, (sqrt(2) * scale) / answers],
    ],
    picture: {
      x: [0, highest],
      y: [0, top],
      shapes: [
        ...counts.map((y, k) => ["bar", bar((k + 0.5) * step, y, 0.45 * step)]),
        ["line", [[expected, 0], [expected, top]]],
        ["second", [[bound, 0], [bound, top]]],
      ],
    },
  };
}

function loss({ epsilon, sigma }) {
  const mean = 1 / (2 * sigma ** 2);
  const atMost = (x) => normalAtMost((x - mean) / sqrt(2 * mean));
  const laplace = (x) => (x >= epsilon ? 1 : x < -epsilon ? 0 : exp((x - epsilon) / 2) / 2);
  const delta = gaussianDelta(sigma, 1, epsilon);
  const reach = max(1.3 * epsilon, mean + 4 * sqrt(2 * mean));
  const xs = grid(-reach, reach, 400);
  const gaussian = `guarantees.Gaussian(${sigma})`;
  return {
    values: { within: atMost(epsilon), beyond: 1 - atMost(epsilon), delta, laplaceMean: epsilon - 1 + exp(-epsilon), gaussianMean: mean },
    calls: [
      [`${gaussian}.loss_at_most(${epsilon})`, atMost(epsilon)],
      [`${gaussian}.delta(${epsilon})`, delta],
      [`guarantees.Laplace(${epsilon}).expected_loss`, epsilon - 1 + exp(-epsilon)],
      [`${gaussian}.expected_loss`, mean],
      [`guarantees.Laplace(${epsilon}).loss_at_most(0)`, laplace(0)],
    ],
    picture: {
      x: [-reach, reach],
      y: [0, 1.05],
      shapes: [
        ["track", [[epsilon, 0], [epsilon, 1.05]]],
        ["line", curve(xs, laplace)],
        ["second", curve(xs, atMost)],
      ],
    },
  };
}

function posterior({ q, prior, people, released }) {
  const chance = (k) => ((1 - q) / (1 + q)) * q ** abs(k);
  // The other respondents contribute Bin(n - 1, prior).
  const others = [(1 - prior) ** (people - 1)];
  for (let k = 1; k < people; k++) {
    others.push((others[k - 1] * (people - k) * prior) / (k * (1 - prior)));
  }
  const given = (seen) => {
    const yes = prior * sum(others.map((each, k) => each * chance(seen - k - 1)));
    return yes / (yes + (1 - prior) * sum(others.map((each, k) => each * chance(seen - k))));
  };
  const odds = prior / (1 - prior);
  const [lowest, highest] = [(odds * q) / (1 + odds * q), odds / q / (1 + odds / q)];
  const x = [-4.5, people + 4.5];
  return {
    values: { posterior: given(released), without: prior, lowest, highest, epsilon: -log(q) },
    calls: [
      [
        `guarantees.compute_count_posterior(${released}, people=${people}, prior=${prior}, ` +
          `noise=noise.DiscreteLaplace(Fraction(-math.log(${q}))))`,
        given(released),
      ],
    ],
    picture: {
      x,
      y: [0, 1],
      shapes: [
        ...range(people + 9, -4).map((k) => [k === released ? "chosen" : "bar", bar(k, given(k), 0.4)]),
        ["line", level(prior, x)],
        ["second", level(lowest, x)],
        ["second", level(highest, x)],
      ],
    },
  };
}

function utility({ epsilon }) {
  const response = (e) => (exp(e) - 1) / exp(e / 2);
  const laplace = (e) => e / sqrt(2);
  const xs = grid(0, 5);
  return {
    values: { response: response(epsilon), laplace: laplace(epsilon), ratio: response(epsilon) / laplace(epsilon) },
    calls: [
      [`1 / binary.symmetric_noise(${epsilon}) ** 0.5`, response(epsilon)],
      [`1 / guarantees.Laplace(${epsilon}).standard_deviation`, laplace(epsilon)],
    ],
    picture: {
      x: [0, 5],
      y: [0, 12],
      shapes: [
        ["track", [[epsilon, 0], [epsilon, 12]]],
        ["line", curve(xs, response)],
        ["second", curve(xs, laplace)],
      ],
    },
  };
}

function budget({ analyses, epsilon, delta }) {
  const together = (k) => (k * epsilon ** 2) / 2 + 2 * sqrt(((k * epsilon ** 2) / 2) * delta * log(10));
  const xs = grid(0, 200);
  const top = 1.05 * max(200 * epsilon, together(200));
  const all = `candor.total_epsilon([${epsilon}] * ${analyses}, delta=1e-${delta})`;
  return {
    values: { basic: analyses * epsilon, zcdp: together(analyses), best: min(analyses * epsilon, together(analyses)) },
    calls: [
      [`${all}.basic`, analyses * epsilon],
      [`accounting.convert_rho(${analyses} * ${epsilon} ** 2 / 2, 1e-${delta})`, together(analyses)],
      [`${all}.epsilon`, min(analyses * epsilon, together(analyses))],
    ],
    picture: {
      x: [0, 200],
      y: [0, top],
      shapes: [
        ["track", [[analyses, 0], [analyses, top]]],
        ["line", curve(xs, (k) => k * epsilon)],
        ["second", curve(xs, together)],
      ],
    },
  };
}

export const experiments = { response, noise, maximum, loss, posterior, utility, budget };

const IMPORTS = {
  "math.": ["", "math"],
  "Fraction(": ["from fractions ", "Fraction"],
  "candor.": ["", "candor"],
  "accounting.": ["from candor ", "accounting"],
  "binary.": ["from candor ", "binary"],
  "guarantees.": ["from candor.releases ", "guarantees"],
  "noise.": ["from candor.releases ", "noise"],
};

// The imports that these calls need, the calls, and what each returns.
function program(calls) {
  const lines = calls.map(([call, value]) => `${call}  # ${Number(value.toPrecision(6))}`);
  const imports = Object.keys(IMPORTS).filter((name) => lines.some((line) => line.includes(name)));
  const written = imports.map((key) => {
    const [from, name] = IMPORTS[key];
    return `${from}import ${name}`;
  });
  return [...written, "", ...lines].join("\n").trim();
}

const superscript = (digits) => `10⁻${[...digits].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [480, 260, 54, 30, 18];

// Four to eight round numbers between both ends.
function ticks([low, high]) {
  const rough = 10 ** Math.floor(Math.log10((high - low) / 4));
  const step = [5, 2, 1].map((each) => each * rough).find((each) => (high - low) / each >= 4) ?? rough;
  return range(Math.floor(high / step) - Math.ceil(low / step) + 1, Math.ceil(low / step)).map((k) => k * step);
}

function draw(svg, { x, y, shapes }, format) {
  const add = (name, attributes, text = "") => {
    const shape = document.createElementNS(svg.namespaceURI, name);
    Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, value));
    shape.textContent = text;
    svg.append(shape);
  };
  const across = (value) => LEFT + ((value - x[0]) / (x[1] - x[0])) * (WIDTH - LEFT - 12);
  const up = (value) => HEIGHT - BOTTOM - ((max(y[0], min(value, y[1])) - y[0]) / (y[1] - y[0])) * (HEIGHT - BOTTOM - TOP);
  svg.replaceChildren();
  for (const each of ticks(x)) {
    add("path", { class: "grid", d: `M${across(each)} ${TOP}V${HEIGHT - BOTTOM}` });
    add("text", { x: across(each), y: HEIGHT - 10 }, format(each));
  }
  for (const each of ticks(y)) {
    add("path", { class: "grid", d: `M${LEFT} ${up(each)}H${WIDTH - 12}` });
    add("text", { x: LEFT - 6, y: up(each) + 4, class: "end" }, format(each));
  }
  for (const [kind, points] of shapes) {
    if (kind === "point") {
      points.forEach(([a, b]) => add("circle", { class: kind, cx: across(a), cy: up(b), r: 6 }));
    } else {
      add("path", { class: kind, d: `M${points.map(([a, b]) => `${across(a).toFixed(1)} ${up(b).toFixed(1)}`).join("L")}` });
    }
  }
}

function show(section) {
  const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: 4 });
  const format = (value) => (Number.isFinite(value) ? numbers.format(value) : "–");
  const inputs = {};
  for (const input of section.querySelectorAll("[name]")) {
    inputs[input.name] = input.type === "range" ? Number(input.value) : input.value;
    if (input.type === "range") {
      const shown = input.dataset.power ? superscript(input.value) : numbers.format(input.value);
      input.setAttribute("aria-valuetext", (input.nextElementSibling.textContent = shown));
    }
    input.parentElement.hidden = input.dataset.only && !input.dataset.only.split(" ").includes(inputs.query);
  }
  const { values, calls, picture } = experiments[section.dataset.experiment](inputs);
  for (const place of section.querySelectorAll("[data-value]")) {
    const value = values[place.dataset.value];
    place.textContent = typeof value === "boolean" ? place.dataset[value ? "yes" : "no"] : format(value);
  }
  section.querySelector("[data-calls]").textContent = program(calls);
  draw(section.querySelector("svg"), picture, format);
}

if (globalThis.document) {
  for (const section of document.querySelectorAll("[data-experiment]")) {
    section.addEventListener("input", () => show(section));
    show(section);
  }
}
