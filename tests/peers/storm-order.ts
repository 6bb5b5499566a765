// Parameters and result of an alarm burst.

export interface StormOrder {
  readonly socketPath: string;
  readonly masterKey: string;
  readonly serials: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

export interface StormResult {
  readonly told: number;
  readonly storedP50Ms: number;
  readonly storedP99Ms: number;
  readonly storedMaxMs: number;
  /** The latest of those told in each second. */
  readonly maxBySecondMs: readonly number[];
  /** From the first told to the last stored. */
  readonly tookMs: number;
}
