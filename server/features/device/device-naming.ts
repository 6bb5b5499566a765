// Chooses the device serial: the reported one, or a suffixed one where another device has it.
import { createHash } from 'node:crypto';
import { DEVICE_SERIAL, DUPLICATE_SERIALS } from '@vedette/contract/limits.ts';
import type { AttemptLimiter, AttemptBudget } from '../../auth/attempt-limiter.ts';
import { CallError } from '../../core/call-error.ts';
import type { ReportedDevice } from './device-ownership-check.ts';

/** Without I, L, O and U, so that a serial read aloud is not mistaken. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Deterministic per place and owner; `collisions`: how many such names were taken. */
export function serialForAddress(
  { ownerId, siteId, serial, networkAddress }: ReportedDevice,
  collisions: number,
): string {
  const seed = JSON.stringify([ownerId, siteId, networkAddress, serial, collisions]);
  const digest = createHash('sha256').update(seed).digest().subarray(0, DEVICE_SERIAL.suffix);
  const suffix = Array.from(digest, (byte) => LETTERS[byte & 31]).join('');
  return serial.slice(0, DEVICE_SERIAL.longest - DEVICE_SERIAL.suffix) + suffix;
}

/** A suffix reveals that another owner has the serial. After many such suffixes an account always gets one, so that it reveals nothing. */
export async function chooseSerial(
  attempts: AttemptLimiter,
  reported: ReportedDevice,
  isUsed: boolean,
  collisions: number,
): Promise<string> {
  const budget: AttemptBudget = {
    key: `taken serials ${reported.ownerId}`,
    max: DUPLICATE_SERIALS.reports,
    windowMs: DUPLICATE_SERIALS.windowMs,
  };
  const isTold = (await attempts.count(budget)) < budget.max;
  if (isTold && isUsed && collisions === 0) await count(attempts, budget);
  return isUsed || !isTold || collisions > 0 ? serialForAddress(reported, collisions) : reported.serial;
}

async function count(attempts: AttemptLimiter, budget: AttemptBudget): Promise<void> {
  try {
    await attempts.consume([budget]);
  } catch (error) {
    // Concurrent calls of the account have used up the limit.
    if (!(error instanceof CallError)) throw error;
  }
}
