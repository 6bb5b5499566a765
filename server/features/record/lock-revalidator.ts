// Removes retention locks made by a share once that right has ended; closed weekly hours end nothing.
import type { Logger } from 'pino';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { Decision } from '@vedette/rules/decide/rights.ts';
import { deviceObject } from '../../auth/authorize.ts';
import { loadAccountRights, type Rights } from '../../auth/rights.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../../database/connection.ts';
import { type DeviceFacts, findDeviceFacts } from '../../database/device/device.queries.ts';
import {
  deleteLock,
  setLockRight,
  type SharedLock,
  sharedLocksConcerning,
  sharedLocksEndingBy,
} from '../../database/media/recording-mark.queries.ts';
import type { RevocationRow } from '../../database/access/revocation.queries.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';

export interface LockRevalidatorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly assignmentSync: AssignmentSync;
}

/** Rights that end by time are looked for this often. */
const ROUND_MS = 1000;

/** The right by which a lock of a channel that is shared stands. */
export function lockRight(rights: Rights, facts: DeviceFacts, channelNo: number): Decision {
  const grants = rights.grants.map((grant) => ({ ...grant, windows: [] }));
  return decide({ ...rights, grants, action: 'Replay', object: deviceObject(facts, channelNo) });
}

export class LockRevalidator {
  readonly #options: LockRevalidatorOptions;
  #cancelRound: (() => void) | null = null;
  #isClosed = false;

  constructor(options: LockRevalidatorOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, database, log } = this.#options;
    this.#cancelRound = clock.after(ROUND_MS, () => {
      sharedLocksEndingBy(database, clock.wallMs())
        .then((locks) => this.#check(locks))
        .catch((error: unknown) => log.warn({ err: error }, 'locks of shared channels could not be checked'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound?.();
  }

  async applyRevocations(rows: readonly RevocationRow[]): Promise<void> {
    const accountIds = [...new Set(rows.flatMap(({ accountId }) => accountId ?? []))];
    const deviceSerials = [...new Set(rows.flatMap(({ deviceSerial }) => deviceSerial ?? []))];
    if (accountIds.length === 0 && deviceSerials.length === 0) return;
    await this.#check(await sharedLocksConcerning(this.#options.database, { accountIds, deviceSerials }));
  }

  async #check(locks: readonly SharedLock[]): Promise<void> {
    const { database, assignmentSync } = this.#options;
    const changed = new Map<string, string>();
    for (const lock of locks) {
      const right = await this.#rightOf(lock);
      if (right?.allowed === true) {
        // Who has become the owner keeps it as its own.
        await setLockRight(database, lock.lockId, { byShare: right.because.kind === 'grant', until: right.until });
      } else {
        await deleteLock(database, lock.lockId);
        changed.set(lock.deviceId, lock.deviceSerial);
      }
    }
    await Promise.all(
      [...changed].map(([deviceId, deviceSerial]) => assignmentSync.deviceChanged(deviceId, deviceSerial)),
    );
  }

  async #rightOf({ createdBy, deviceSerial, channelNo }: SharedLock): Promise<Decision | null> {
    const { database, clock } = this.#options;
    const facts = await findDeviceFacts(database, deviceSerial, channelNo);
    if (createdBy === null || facts === undefined) return null;
    return lockRight(await loadAccountRights(database, clock, createdBy), facts, channelNo);
  }
}
