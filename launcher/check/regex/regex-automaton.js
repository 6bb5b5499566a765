// Builds the backtracking automaton of an expression: two ways to the same step are two.
import { alphabetOf } from './regex-alphabet.js';

/** Repeats up to so many are written out: their cost is a factor; longer ones count as endless. */
const WRITTEN_OUT = 20;
const MOST_STATES = 600;

export class RegexSizeError extends Error {}

/**
 * @typedef {{ node: Spot, isSure: boolean, only: 'start' | 'end' | null }} Way
 * @typedef {{ ways: Way[], opens: number, ends: number, state: number }} Spot `opens` and `ends`: which loop's round begins here or was over; 0 for none
 * @typedef {object} Automaton
 * @property {string[]} kinds one character of each kind
 * @property {Set<number>[]} takes by state: kinds that lead into it
 * @property {Map<number, number>[]} steps by state: which states follow, and by how many ways (2 for more)
 * @property {Set<number>} sure states from which a match is certain, whatever follows
 * @property {number} states
 */

/** Before the first character, and looking on after another, in and after a line. */
const [BEGIN, AFTER, LINE] = [0, 1, 2];

/**
 * @param {import('./regex-syntax.js').Node} tree
 * @param {string} flags
 * @returns {Automaton}
 */
export function automatonOf(tree, flags) {
  const builder = new Builder();
  const accept = spot();
  const entry = builder.build(tree, accept);
  const alphabet = alphabetOf(
    builder.units.map(({ raw }) => raw),
    flags,
  );
  const lines = alphabet.kinds.flatMap((text, index) => (/[\n\r\u2028\u2029]/.test(text) ? [index] : []));
  const all = new Set(alphabet.kinds.keys());
  const others = new Set([...all].filter((kind) => !lines.includes(kind)));
  const takes = [new Set(), others, new Set(lines), ...builder.units.map(({ raw }) => alphabet.kindsOf(raw))];
  const isByLine = flags.includes('m');
  const follows = takes.map((taken, state) => {
    const mayStart = state === BEGIN || (isByLine && lines.some((kind) => taken.has(kind)));
    return waysFrom(state <= LINE ? entry : (builder.units[state - 3]?.next ?? accept), accept, mayStart);
  });
  const steps = follows.map(({ counts }, state) => {
    if (state <= LINE && !flags.includes('y')) return new Map([...counts, [AFTER, 1], [LINE, 1]]);
    return counts;
  });
  return { kinds: alphabet.kinds, takes, steps, sure: sureStates(follows, steps, takes, all), states: takes.length };
}

class Builder {
  /** @type {{ raw: string, next: Spot }[]} */
  units = [];
  loops = 0;

  /**
   * @param {import('./regex-syntax.js').Node} node
   * @param {Spot} next
   * @returns {Spot}
   */
  build(node, next) {
    if (this.units.length > MOST_STATES) throw new RegexSizeError('too many states');
    switch (node.kind) {
      case 'unit':
        this.units.push({ raw: node.raw, next });
        return spot([], { state: this.units.length + 2 });
      case 'chain':
        return node.parts.toReversed().reduce((after, part) => this.build(part, after), next);
      case 'choice':
        return spot(node.options.map((option) => way(this.build(option, next))));
      case 'repeat':
        return this.repeat(node, next);
      case 'assert':
        return spot([way(next, node.what === 'end', node.what === 'boundary' ? null : node.what)]);
      case 'look':
        return this.look(node, next);
      case 'back':
        return this.build(
          { kind: 'repeat', body: { kind: 'unit', raw: '[^]' }, min: 0, max: Infinity },
          spot([way(next, false)]),
        );
    }
  }

  /**
   * @param {import('./regex-syntax.js').Look} look
   * @param {Spot} next
   */
  look({ body, isBehind }, next) {
    if (isBehind && isEndless(body)) throw new RegexSizeError('looks behind without an end');
    return spot([...(isBehind ? [] : [way(this.build(body, spot()), false)]), way(next, false)]);
  }

  /**
   * @param {import('./regex-syntax.js').Repeat} repeat
   * @param {Spot} next
   * @returns {Spot}
   */
  repeat({ body, min, max }, next) {
    const isWritten = max <= WRITTEN_OUT || max === Infinity;
    const fixed = Math.min(min, isWritten ? WRITTEN_OUT : 1);
    let after = next;
    if (isWritten && max !== Infinity)
      for (let left = max - min; left > 0; left -= 1) after = this.once(body, after, next);
    else if (max > min || max > WRITTEN_OUT) after = this.loop(body, next);
    for (let left = fixed; left > 0; left -= 1) after = this.build(body, after);
    return after;
  }

  /**
   * One more round or none; a round that took nothing does not count.
   * @param {import('./regex-syntax.js').Node} body
   * @param {Spot} after
   * @param {Spot} next
   */
  once(body, after, next) {
    this.loops += 1;
    const end = spot([way(after)], { ends: this.loops });
    return spot([way(spot([way(this.build(body, end))], { opens: this.loops })), way(next)]);
  }

  /**
   * @param {import('./regex-syntax.js').Node} body
   * @param {Spot} next
   */
  loop(body, next) {
    this.loops += 1;
    const round = spot([], { opens: this.loops });
    const back = spot([way(round), way(next)], { ends: this.loops });
    round.ways.push(way(this.build(body, back)));
    return spot([way(round), way(next)]);
  }
}

/**
 * @param {Way[]} ways
 * @param {Partial<Spot>} more
 * @returns {Spot}
 */
function spot(ways = [], more = {}) {
  return { ways, opens: 0, ends: 0, state: -1, ...more };
}

/**
 * @param {Spot} node
 * @param {boolean} isSure nothing can forbid it
 * @param {'start' | 'end' | null} only where in the text it is open
 * @returns {Way}
 */
function way(node, isSure = true, only = null) {
  return { node, isSure, only };
}

/** @param {import('./regex-syntax.js').Node} node @returns {boolean} */
function isEndless(node) {
  if (node.kind === 'repeat') return node.max > WRITTEN_OUT || isEndless(node.body);
  if (node.kind === 'chain') return node.parts.some(isEndless);
  if (node.kind === 'choice') return node.options.some(isEndless);
  return node.kind === 'look' ? isEndless(node.body) : node.kind === 'back';
}

/**
 * Every way that takes no character.
 * @param {Spot} from
 * @param {Spot} accept
 * @param {boolean} mayStart whether `^` is open
 */
function waysFrom(from, accept, mayStart) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  const found = { counts, isSure: false, isSureAtEnd: false };
  let left = 20_000;
  const enter = (/** @type {Spot} */ node, /** @type {boolean} */ sure, /** @type {boolean} */ atEnd) => {
    if (node.state >= 0) counts.set(node.state, Math.min(2, (counts.get(node.state) ?? 0) + 1));
    if (node === accept && sure) found[atEnd ? 'isSureAtEnd' : 'isSure'] = true;
  };
  /** @type {(node: Spot, sure: boolean, atEnd: boolean, open: readonly number[]) => void} */
  const walk = (node, sure, atEnd, open) => {
    left -= 1;
    if (left < 0) throw new RegexSizeError('too many ways without a character');
    // A round that took nothing is refused by the engine.
    if (node.ends !== 0 && open.includes(node.ends)) return;
    const now = node.opens === 0 ? open : [...open, node.opens];
    enter(node, sure, atEnd);
    for (const { node: next, isSure, only } of node.ways) {
      if (only === 'start' && !mayStart) continue;
      walk(next, sure && isSure, atEnd || only === 'end', now);
    }
  };
  walk(from, true, false, []);
  return found;
}

/**
 * @param {{ isSure: boolean, isSureAtEnd: boolean }[]} follows
 * @param {Map<number, number>[]} steps
 * @param {Set<number>[]} takes
 * @param {Set<number>} all
 */
function sureStates(follows, steps, takes, all) {
  const sure = new Set(follows.flatMap(({ isSure, isSureAtEnd }, state) => (isSure || isSureAtEnd ? [state] : [])));
  for (let before = -1; before !== sure.size; ) {
    before = sure.size;
    for (const state of sure) {
      if (follows[state]?.isSure) continue;
      const next = [...(steps[state]?.keys() ?? [])].filter((one) => sure.has(one));
      const taken = new Set(next.flatMap((one) => [...(takes[one] ?? [])]));
      if (taken.size < all.size) sure.delete(state);
    }
  }
  return sure;
}
