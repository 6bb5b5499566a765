// Round-robin queue: begins the costly work of new connections a little per turn of the event loop, one address after the other.

export interface RoundRobinOptions {
  /** Of one turn of the event loop. */
  readonly perTurn: number;
  readonly defer?: (turn: () => void) => void;
}

/** Work of one key is done in its order. */
export function createRoundRobinQueue({ perTurn, defer = setImmediate }: RoundRobinOptions) {
  const waiting = new Map<string, (() => void)[]>();
  let isTurning = false;

  function turn(): void {
    for (let begun = 0; begun < perTurn; begun += 1) {
      const [next] = waiting;
      if (next === undefined) break;
      const [key, own] = next;
      waiting.delete(key);
      const work = own.shift();
      // Its next one stands behind all others.
      if (own.length > 0) waiting.set(key, own);
      work?.();
    }
    isTurning = waiting.size > 0;
    if (isTurning) defer(turn);
  }

  return (key: string, work: () => void): void => {
    const own = waiting.get(key) ?? [];
    own.push(work);
    waiting.set(key, own);
    if (!isTurning) defer(turn);
    isTurning = true;
  };
}
