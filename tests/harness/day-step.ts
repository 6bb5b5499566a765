// One step of the demo day, as a JSON line.

export interface DayStep {
  readonly step: string;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly ms: number;
}
