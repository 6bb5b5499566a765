// Judges measures of the running installation: how a part does, and why.
import type { HealthReason, HealthState } from '@vedette/contract/calls/system-health.ts';

export interface Judgement {
  readonly state: HealthState;
  readonly reason: HealthReason | null;
}

const GOOD: Judgement = { state: 'good', reason: null };
const DAY_MS = 86_400_000;
/** Values of the last minute that decide: a single late moment is no fault. */
const RECENT = 6;
/** Of one core, on average. */
const CPU_HIGH = 0.9;
const LOOP_LATE_MS = 100;
const LOOP_BLOCKED_MS = 500;
const DATABASE_SLOW_MS = 200;
const DATABASE_STALLED_MS = 1000;
const CONNECTIONS_SHARE = 0.85;
const CLOCK_APART_MS = 2000;
const MEMORY_LOW_SHARE = 0.08;
const DISK_LOW_BYTES = 5e9;
const DISK_LOW_SHARE = 0.1;
const DISK_FULL_BYTES = 5e8;
const CERTIFICATE_ENDS_MS = 14 * DAY_MS;
const HOUR_MS = 3_600_000;
/** Longer than another server needs to take the work over. */
const AUDIT_UNCHAINED_MS = 60_000;

type Series = readonly (number | null)[];

/** The first that is not good, by severity. */
export function worst(judgements: readonly Judgement[]): Judgement {
  return judgements.find(({ state }) => state === 'bad') ?? judgements.find(({ state }) => state === 'warning') ?? GOOD;
}

export function judgeLoop(delaysMs: Series): Judgement {
  const usual = median(recent(delaysMs));
  if (usual >= LOOP_BLOCKED_MS) return bad('loopBlocked');
  return usual >= LOOP_LATE_MS ? warning('loopLate') : GOOD;
}

export function judgeCpu(shares: Series): Judgement {
  const values = recent(shares);
  return values.length === RECENT && average(values) >= CPU_HIGH ? warning('cpuHigh') : GOOD;
}

export function judgeDatabase(
  latenciesMs: Series,
  connections: { readonly used: number; readonly most: number },
): Judgement {
  const usual = median(recent(latenciesMs));
  const isFew = connections.most > 0 && connections.used / connections.most >= CONNECTIONS_SHARE;
  return worst([
    usual >= DATABASE_STALLED_MS ? bad('databaseSlow') : usual >= DATABASE_SLOW_MS ? warning('databaseSlow') : GOOD,
    isFew ? warning('connectionsFew') : GOOD,
  ]);
}

/** Counters since the site started: what did not grow within the hour is over. */
export function judgeGrowth(counts: Series, reason: HealthReason): Judgement {
  const known = counts.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  return first !== undefined && last !== undefined && last > first ? warning(reason) : GOOD;
}

export function judgeSkew(skewMs: number | null): Judgement {
  return skewMs !== null && Math.abs(skewMs) >= CLOCK_APART_MS ? warning('clockApart') : GOOD;
}

const STORAGE_REASONS = {
  normal: null,
  full: 'storageFull',
  failing: 'storageFailing',
  missing: 'storageMissing',
} as const;

export function judgeStorage(state: keyof typeof STORAGE_REASONS): Judgement {
  const reason = STORAGE_REASONS[state];
  if (reason === null) return GOOD;
  return reason === 'storageFull' ? warning(reason) : bad(reason);
}

export function judgeMemory(freeBytes: number, totalBytes: number): Judgement {
  return totalBytes > 0 && freeBytes / totalBytes < MEMORY_LOW_SHARE ? warning('memoryLow') : GOOD;
}

/** Of database, settings and logs: recordings have their own. */
export function judgeDisk(freeBytes: number, totalBytes: number): Judgement {
  if (freeBytes < DISK_FULL_BYTES) return bad('diskFull');
  return freeBytes < Math.min(DISK_LOW_BYTES, totalBytes * DISK_LOW_SHARE) ? warning('diskLow') : GOOD;
}

export function judgeCertificate(validTo: number | null, now: number): Judgement {
  if (validTo === null) return off('certificateNone');
  if (validTo <= now) return bad('certificateEnded');
  return validTo - now < CERTIFICATE_ENDS_MS ? warning('certificateEnds') : GOOD;
}

/** Times in milliseconds since 1970 UTC; `everyMs` between two backups, null where none is scheduled. */
export interface BackupFacts {
  readonly everyMs: number | null;
  readonly goodAt: number | null;
  readonly hasFailed: boolean;
  /** The newest one could not be restored when that was last tried. */
  readonly hasCheckFailed: boolean;
}

/** Two that should have been taken and were not are a fault; without a schedule one of a week ago will do. */
export function judgeBackup({ everyMs, goodAt, hasFailed, hasCheckFailed }: BackupFacts, now: number): Judgement {
  if (everyMs === null && goodAt === null) return hasFailed ? warning('backupFailed') : off('backupNone');
  const oldest = everyMs === null ? 7 * DAY_MS : 2 * everyMs;
  if (goodAt === null || now - goodAt > oldest) return everyMs === null ? warning('backupOld') : bad('backupOld');
  if (hasCheckFailed) return bad('backupCheckFailed');
  return hasFailed ? warning('backupFailed') : GOOD;
}

export function judgeMail(isOn: boolean, lastFailureAt: number | null, now: number): Judgement {
  if (!isOn) return off('mailOff');
  return lastFailureAt !== null && now - lastFailureAt < HOUR_MS ? warning('mailFailed') : GOOD;
}

export function judgeMessages({
  delivered,
  failed,
}: {
  readonly delivered: number;
  readonly failed: number;
}): Judgement {
  if (delivered + failed === 0) return off('messagesNone');
  if (failed === 0) return GOOD;
  return delivered === 0 ? bad('messagesFailed') : warning('messagesFailed');
}

/** `unchainedSince`: when the oldest line that waits for its link was written; one of the servers chains within a second. */
export function judgeAuditLog(unchainedSince: number | null, now: number): Judgement {
  return unchainedSince !== null && now - unchainedSince > AUDIT_UNCHAINED_MS ? bad('auditUnchained') : GOOD;
}

export function bad(reason: HealthReason): Judgement {
  return { state: 'bad', reason };
}

export function warning(reason: HealthReason): Judgement {
  return { state: 'warning', reason };
}

export function off(reason: HealthReason): Judgement {
  return { state: 'off', reason };
}

function recent(series: Series): number[] {
  return series.slice(-RECENT).filter((value) => value !== null);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 0 of none. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
