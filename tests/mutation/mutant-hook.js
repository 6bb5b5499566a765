// Loaded into a server under test: records which test reaches a guard, and removes the planned ones. VEDETTE_MUTANT names the plan.
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** @typedef {{ id: string, kind: string, file: string, from: number, to: number }} Guard */

/** Of the plan; empty where nothing is tried.
 * @type {readonly Guard[]} */
let planned = [];

const planFile = process.env['VEDETTE_MUTANT'] ?? '';
if (planFile !== '') {
  /** `taken`: ids of guards by the full name of the test that is to miss them, '' while none runs.
   * @type {{ guards: Guard[], taken: Record<string, string[]>, runningFile: string, seenFile: string | null }} */
  const plan = JSON.parse(readFileSync(planFile, 'utf8'));
  const { seenFile, runningFile } = plan;
  planned = plan.guards;
  const taken = new Map(Object.entries(plan.taken).map(([test, ids]) => [test, new Set(ids)]));
  const running = () => readFileSync(runningFile, 'utf8');
  const isTaken = (/** @type {string} */ id) => taken.size > 0 && taken.get(running())?.has(id) === true;
  /** @type {Map<string, string>} */
  const lastIn = new Map();
  const note = (/** @type {string} */ id) => {
    if (seenFile === null) return;
    const test = running();
    if (lastIn.get(id) === test) return;
    lastIn.set(id, test);
    appendFileSync(seenFile, `${JSON.stringify({ test, id })}\n`);
  };
  Object.assign(globalThis, {
    // Evaluated all the same: what a condition does beside is no guard.
    __refusal: (/** @type {string} */ id, /** @type {unknown} */ isRefused) => {
      if (!isRefused) return isRefused;
      note(id);
      return isTaken(id) ? false : isRefused;
    },
    __decision: (/** @type {string} */ id, /** @type {unknown} */ isAllowed) => {
      if (isAllowed) return isAllowed;
      note(id);
      return isTaken(id) ? true : isAllowed;
    },
    __filter: (/** @type {string} */ id, /** @type {unknown[]} */ condition) => {
      note(id);
      return isTaken(id) ? [(/** @type {{ lit: (value: boolean) => unknown }} */ { lit }) => lit(true)] : condition;
    },
    __visible: (/** @type {string} */ id) => {
      note(id);
      return isTaken(id);
    },
  });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!isGuarded(url)) return loaded;
      const text = Buffer.from(/** @type {Uint8Array | string} */ (loaded.source)).toString('utf8');
      return { ...loaded, source: withGuards(url, text) };
    },
  });
}

/** @param {string} url */
function isGuarded(url) {
  return planned.some(({ file }) => url.endsWith(`/${file}`));
}

/**
 * For tests that load a module of the server themselves: what vite transforms is not loaded by Node.
 * @param {string} url
 * @param {string} text
 */
export function withGuards(url, text) {
  return rewrite(
    text,
    planned.filter(({ file }) => url.endsWith(`/${file}`)),
  );
}

/**
 * From the end to the beginning, so that places before stay right; one guard within another is written first.
 * @param {string} text
 * @param {Guard[]} guards
 */
function rewrite(text, guards) {
  /** @type {{ at: number, order: number, words: string }[]} */
  const inserts = guards.flatMap((guard) => {
    const [before, after] = wordsAround(guard);
    const width = guard.to - guard.from;
    return [
      { at: guard.from, order: -width, words: before },
      { at: guard.to, order: width - 1e9, words: after },
    ];
  });
  inserts.sort((one, other) => other.at - one.at || other.order - one.order);
  let out = text;
  for (const { at, words } of inserts) out = out.slice(0, at) + words + out.slice(at);
  return out;
}

/**
 * @param {Guard} guard
 * @returns {[string, string]}
 */
function wordsAround({ id, kind }) {
  const name = JSON.stringify(id);
  if (kind === 'filter') return [`...__filter(${name}, [`, '])'];
  if (kind === 'sql') return ['(', ` or \${__visible(${name})})`];
  if (kind === 'visible') return [`__visible(${name}) ? sql\`true\` : `, ''];
  return [`__${kind}(${name}, (`, '))'];
}
