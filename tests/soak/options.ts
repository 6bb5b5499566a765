// What a soak is asked for, and what follows from it: how long, how many, how large a quota.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';

export interface SoakOptions {
  readonly ms: number;
  readonly cameras: number;
  readonly viewers: number;
  /** Of each camera. */
  readonly kbps: number;
  readonly quotaBytes: number;
  /** Between two samples. */
  readonly sampleMs: number;
  /** Left out of each life of a process, and at the beginning. */
  readonly warmUpMs: number;
  /** Who does what when: the same for the same seed. */
  readonly seed: number;
  /** Gets the CSV of samples and the logs. */
  readonly folder: string;
}

export interface SoakOrder {
  readonly minutes: number;
  readonly cameras: number;
  readonly viewers: number;
  readonly quotaMb?: number;
  readonly seed: number;
  readonly folder: string;
}

const KBPS = 256;
/** Quotas are ordered by powers of ten. */
const MB = 1_000_000;
const QUOTA_MOST_MB = 10_000;
/** A short run goes over its edge so often. */
const QUOTAS_IN_RUN = 3;
/** Files of a minute, of which one is open and one is the newest: a smaller quota would hold nothing else. */
const QUOTA_LEAST_MINUTES = 2.5;

export function soakOptions({ minutes, cameras, viewers, quotaMb, seed, folder }: SoakOrder): SoakOptions {
  const ms = minutes * MINUTE_MS;
  const mbOfMinute = (cameras * KBPS * 60) / 8 / 1000;
  const fitting = Math.max(mbOfMinute * QUOTA_LEAST_MINUTES, (mbOfMinute * minutes) / QUOTAS_IN_RUN);
  return {
    ms,
    cameras,
    viewers,
    kbps: KBPS,
    quotaBytes: Math.round((quotaMb ?? Math.min(QUOTA_MOST_MB, fitting)) * MB),
    sampleMs: Math.min(30_000, Math.max(5000, ms / 500)),
    warmUpMs: Math.min(30 * MINUTE_MS, Math.max(MINUTE_MS, ms / 12)),
    seed,
    folder,
  };
}
