// What the day of the demo tells of each of its steps, as a line of JSON.

export interface DayStep {
  readonly step: string;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly ms: number;
}
