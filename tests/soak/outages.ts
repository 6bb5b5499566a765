// When the soak itself took something away, and until all was back: the one excuse for gaps and for calls that fail.
export const RESTARTED_PARTS = ['site', 'gateway', 'server'] as const;
export type RestartedPart = (typeof RESTARTED_PARTS)[number];

export interface Outage {
  readonly part: RestartedPart;
  /** Wall clock. */
  readonly fromMs: number;
  /** Infinite while it lasts. */
  toMs: number;
}

/** Who waited for an answer just then is told a moment later. */
const AFTERMATH_MS = 5000;

export class Outages {
  readonly all: Outage[] = [];

  begin(part: RestartedPart): Outage {
    const outage = { part, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    this.all.push(outage);
    return outage;
  }

  /** Something was away at any time between. */
  touch(fromMs: number, toMs: number): boolean {
    return this.all.some((outage) => outage.fromMs <= toMs && outage.toMs + AFTERMATH_MS >= fromMs);
  }
}

export interface PlannedRestart {
  readonly part: RestartedPart;
  /** Since the start. */
  readonly atMs: number;
  readonly signal: 'SIGTERM' | 'SIGKILL';
}

const ROUND_MS = 8 * 3_600_000;
/** Of a round: most of it is left to be compared. */
const FIRST_AT = 0.2;
const APART = 0.06;

/** Each part once in eight hours, in turns in order and by force; in shorter runs once. */
export function plannedRestarts(runMs: number): PlannedRestart[] {
  const rounds = Math.max(1, Math.round(runMs / ROUND_MS));
  return Array.from({ length: rounds }, (_, round) =>
    RESTARTED_PARTS.map(
      (part, index): PlannedRestart => ({
        part,
        atMs: ((round + FIRST_AT + index * APART) * runMs) / rounds,
        signal: (round + index) % 2 === 0 ? 'SIGTERM' : 'SIGKILL',
      }),
    ),
  ).flat();
}
