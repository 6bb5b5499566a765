// Round-robin queue: begins the costly work of new connections a little per turn of the event loop, one address after the other.

/**
 * @param {{ perTurn: number, defer?: (turn: () => void) => void }} options `perTurn`: of one turn of the event loop
 * @returns {(key: string, work: () => void) => void} in its order for each key
 */
export function createRoundRobinQueue({ perTurn, defer = setImmediate }) {
  /** @type {Map<string, (() => void)[]>} */
  const waiting = new Map();
  let isTurning = false;

  function turn() {
    for (let begun = 0; begun < perTurn && waiting.size > 0; begun += 1) {
      const [key, own] = /** @type {[string, (() => void)[]]} */ (waiting.entries().next().value);
      waiting.delete(key);
      const work = own.shift();
      // Its next one stands behind all others.
      if (own.length > 0) waiting.set(key, own);
      work?.();
    }
    isTurning = waiting.size > 0;
    if (isTurning) defer(turn);
  }

  return (key, work) => {
    const own = waiting.get(key) ?? [];
    own.push(work);
    waiting.set(key, own);
    if (!isTurning) defer(turn);
    isTurning = true;
  };
}
