// Classifies the cost of an expression as linear, polynomial or exponential by ambiguous loops of its automaton.
// Weber and Seidl, "On the degree of ambiguity of finite automata" (1991): EDA is exponential, IDA polynomial.
import { automatonOf, RegexSizeError } from './regex-automaton.js';
import { readRegex } from './regex-syntax.js';

/** @typedef {import('./regex-automaton.js').Automaton} Automaton */
/** @typedef {{ kind: 'exponential' | 'polynomial' | 'unknown', pump: string }} Growth pump: what to repeat, or why nothing is known */

const MOST_STEPS = 2_000_000;

/**
 * Null where the cost is in proportion to the text.
 * @param {string} source
 * @param {string} flags
 * @returns {Growth | null}
 */
export function growthOf(source, flags) {
  try {
    const automaton = automatonOf(readRegex(source, flags), flags);
    const search = new Search(automaton);
    return search.exponential() ?? search.polynomial();
  } catch (error) {
    return { kind: 'unknown', pump: error instanceof Error ? error.message : String(error) };
  }
}

class Search {
  left = MOST_STEPS;

  /** @param {Automaton} automaton */
  constructor(automaton) {
    this.automaton = automaton;
    const reached = [0, ...reachedFrom(automaton, 0)];
    /** @type {Map<number, Set<number>>} by state that can come to itself: those between */
    this.rings = ringsOf(automaton, reached);
  }

  /** Two ways from a state to itself over the same characters. @returns {Growth | null} */
  exponential() {
    const { sure } = this.automaton;
    for (const [state, ring] of this.rings) {
      if (sure.has(state)) continue;
      const isInside = (/** @type {number} */ next) => ring.has(next) && !sure.has(next);
      const pump = this.pump([state, state], [isInside, isInside], [state, state], true);
      if (pump !== null) return { kind: 'exponential', pump };
    }
    return null;
  }

  /** A way that stays, one that goes on, and one that stays where that leads, over the same characters. @returns {Growth | null} */
  polynomial() {
    const { sure } = this.automaton;
    for (const [from, first] of this.rings) {
      const after = reachedFrom(this.automaton, from);
      for (const [to, last] of this.rings) {
        if (from === to || sure.has(to) || !after.has(to)) continue;
        const isOpen = [
          (/** @type {number} */ next) => first.has(next),
          (/** @type {number} */ next) => after.has(next) && (first.has(next) || !sure.has(next)),
          (/** @type {number} */ next) => last.has(next) && !sure.has(next),
        ];
        const pump = this.pump([from, from, to], isOpen, [from, to, to], false);
        if (pump !== null) return { kind: 'polynomial', pump };
      }
    }
    return null;
  }

  /**
   * The shortest text over which all ways step side by side to where they shall be; null for none.
   * @param {number[]} start
   * @param {((next: number) => boolean)[]} isOpen by way
   * @param {number[]} goal
   * @param {boolean} mustPart two ways that are never apart are one
   */
  pump(start, isOpen, goal, mustPart) {
    /** @type {{ at: number[], isApart: boolean, text: string }[]} */
    const queue = [{ at: start, isApart: !mustPart, text: '' }];
    const seen = new Set([`${start}:${!mustPart}`]);
    for (const { at, isApart, text } of queue) {
      for (const { to, kind, isTwofold } of this.together(at, isOpen)) {
        const apart = isApart || isTwofold || to[0] !== to[1];
        const extended = text + this.automaton.kinds[kind];
        if (apart && `${to}` === `${goal}`) return extended;
        if (seen.has(`${to}:${apart}`)) continue;
        seen.add(`${to}:${apart}`);
        queue.push({ at: to, isApart: apart, text: extended });
      }
    }
    return null;
  }

  /**
   * Steps that all ways may take over one character.
   * @param {number[]} at
   * @param {((next: number) => boolean)[]} isOpen
   */
  together(at, isOpen) {
    const { steps, takes } = this.automaton;
    /** @type {{ to: number[], kinds: Set<number>, isTwofold: boolean }[]} */
    let found = [{ to: [], kinds: new Set(this.automaton.kinds.keys()), isTwofold: false }];
    for (const [way, state] of at.entries()) {
      const open = [...(steps[state] ?? [])].filter(([next]) => isOpen[way]?.(next));
      found = found.flatMap(({ to, kinds, isTwofold }) =>
        open.flatMap(([next, count]) => {
          this.left -= 1;
          if (this.left < 0) throw new RegexSizeError('too large to be judged');
          const both = intersection(kinds, takes[next] ?? new Set());
          return both.size === 0 ? [] : [{ to: [...to, next], kinds: both, isTwofold: isTwofold || count > 1 }];
        }),
      );
    }
    return found.map(({ to, kinds, isTwofold }) => ({
      to,
      kind: Math.max(...kinds),
      isTwofold: isTwofold && to[0] === to[1],
    }));
  }
}

/**
 * @param {Set<number>} one
 * @param {Set<number>} other
 */
function intersection(one, other) {
  return new Set([...one].filter((kind) => other.has(kind)));
}

/**
 * States after one step or more.
 * @param {Automaton} automaton
 * @param {number} from
 */
function reachedFrom({ steps }, from) {
  /** @type {Set<number>} */
  const reached = new Set();
  const waiting = [from];
  for (const state of waiting) {
    for (const next of steps[state]?.keys() ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return reached;
}

/**
 * @param {Automaton} automaton
 * @param {number[]} states
 */
function ringsOf(automaton, states) {
  const reached = new Map(states.map((state) => [state, reachedFrom(automaton, state)]));
  /** @type {Map<number, Set<number>>} */
  const rings = new Map();
  for (const [state, after] of reached) {
    if (after.has(state)) rings.set(state, new Set([...after].filter((one) => reached.get(one)?.has(state))));
  }
  return rings;
}
