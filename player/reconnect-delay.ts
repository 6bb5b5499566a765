// How long to wait before the next try: doubling with jitter, so that many pages do not return in one instant.

export interface ReconnectRange {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** `attempt` counts from 0; `random` is in [0, 1). The answer lies between half and the whole of the doubled delay. */
export function reconnectDelay(attempt: number, random: number, range: ReconnectRange): number {
  const whole = Math.min(range.maxMs, range.firstMs * 2 ** Math.min(attempt, 20));
  return Math.round(whole * (0.5 + random / 2));
}
