// Splits all characters into equivalence classes of an expression, by probing the engine.

/** Beside ASCII: white space and line ends of Unicode, letters and digits of other scripts, case pairs across blocks, an astral one, halves of pairs. */
const TELLING = [
  0x85, 0xa0, 0xd7, 0xe9, 0xc9, 0xdf, 0xff, 0x100, 0x130, 0x131, 0x17f, 0x3b1, 0x391, 0x430, 0x5d0, 0x660, 0x900,
  0x1680, 0x200b, 0x2028, 0x2029, 0x212a, 0x3000, 0x4e00, 0x9fff, 0xac00, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x1f600,
  0x20000, 0x10ffff, 0xd83d, 0xde00,
];

/**
 * @typedef {object} Alphabet
 * @property {string[]} kinds one character for each kind
 * @property {(raw: string) => Set<number>} kindsOf which kinds a unit takes
 */

/**
 * @param {string[]} raws all units of the expression
 * @param {string} flags
 * @returns {Alphabet}
 */
export function alphabetOf(raws, flags) {
  const kept = flags.replace(/[^iuvs]/g, '');
  const byPoint = /[uv]/.test(flags);
  const points = [...tellingPoints(raws.join(''))].filter((point) => byPoint || point <= 0xffff);
  const tests = new Map([...new Set(raws)].map((raw) => [raw, new RegExp(`^${raw}$`, kept)]));
  /** @type {Map<string, string>} what takes it, and one character that is taken so */
  const kinds = new Map();
  for (const point of points) {
    const text = String.fromCodePoint(point);
    const taken = [...tests.values()].map((test) => (test.test(text) ? '1' : '0')).join('');
    // A kind of its own for ends of lines: `^` and `$` may mean them.
    const key = `${taken}${/[\n\r\u2028\u2029]/.test(text)}`;
    if (!kinds.has(key) || isShown(text)) kinds.set(key, text);
  }
  const chosen = [...kinds.values()];
  return {
    kinds: chosen,
    kindsOf: (raw) => new Set(chosen.flatMap((text, index) => (tests.get(raw)?.test(text) ? [index] : []))),
  };
}

/** @param {string} text */
function isShown(text) {
  return /^[a-z0 -]$/.test(text);
}

/** @param {string} text of all units, with their escapes */
function tellingPoints(text) {
  const points = new Set([...Array.from({ length: 128 }, (_, point) => point), ...TELLING]);
  const escaped = [...text.matchAll(/\\u\{([\da-fA-F]+)\}|\\u([\da-fA-F]{4})|\\x([\da-fA-F]{2})/g)];
  const named = escaped.map(([, braced, four, two]) => Number.parseInt(braced ?? four ?? two ?? '0', 16));
  for (const point of [...named, ...Array.from(text, (one) => one.codePointAt(0) ?? 0)]) {
    for (const near of [point - 1, point, point + 1]) if (near >= 0 && near <= 0x10ffff) points.add(near);
  }
  return points;
}
