// PTZ leases of moving cameras, by operator: ended when the page closes or the right ends, with a notice to the page.
import { createHash } from 'node:crypto';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { PTZ_MOVE_MAX_MS } from '@vedette/contract/ptz.ts';
import type { Logger } from 'pino';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import { loadRights } from '../../auth/rights.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../../database/connection.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface PtzLeasesOptions {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: SitePort;
  readonly hub: RealtimeHub;
}

interface PtzLease {
  readonly operatorId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly deviceSerial: string;
  readonly channelNo: number;
  /** The right came by a share. */
  readonly isShared: boolean;
  readonly endsAt: number;
}

export interface PtzRequest {
  readonly principal: Principal;
  readonly device: AuthorizedDevice;
  readonly channelNo: number;
}

/** Rights of moves are asked for this often: with the site's own time a camera stops well within two seconds. */
const ROUND_MS = 500;

export class PtzLeases {
  readonly #options: PtzLeasesOptions;
  readonly #leases = new Map<string, PtzLease>();
  #cancelCheck: (() => void) | null = null;

  constructor(options: PtzLeasesOptions) {
    this.#options = options;
  }

  /** Known before the site is asked, so that a page that goes meanwhile is not overlooked; false from the answer: it went. */
  acquire({ principal, device, channelNo }: PtzRequest): () => boolean {
    const { userId, sessionId } = principal;
    const { deviceSerial } = device;
    const operatorId = operatorOf(sessionId);
    const isShared = device.decision.because.kind === 'grant' && device.decision.because.shareId !== null;
    const endsAt = this.#options.clock.wallMs() + PTZ_MOVE_MAX_MS;
    const hold = { operatorId, sessionId, userId, deviceSerial, channelNo, isShared, endsAt };
    const key = `${deviceSerial}/${channelNo}/${operatorId}`;
    this.#leases.set(key, hold);
    this.#cancelCheck ??= this.#checkLater();
    return () => this.#leases.has(key);
  }

  displaced(taker: PtzRequest, operatorId: string): void {
    const { device, channelNo, principal } = taker;
    const key = `${device.deviceSerial}/${channelNo}/${operatorId}`;
    const hold = this.#leases.get(key);
    if (hold === undefined) return;
    this.#leases.delete(key);
    this.#pushEnd(hold, ERROR_CODES.ptzBusy, principal.userName);
  }

  /** A `/ws` of the session closed: nobody may be there any more to say stop. */
  pageClosed(sessionId: string): void {
    for (const hold of this.#leases.values()) if (hold.sessionId === sessionId) void this.#stop(hold);
  }

  close(): void {
    this.#cancelCheck?.();
  }

  #checkLater(): () => void {
    return this.#options.clock.after(ROUND_MS, () => {
      void this.#checkRights().finally(() => {
        this.#cancelCheck = this.#leases.size === 0 ? null : this.#checkLater();
      });
    });
  }

  async #checkRights(): Promise<void> {
    const now = this.#options.clock.wallMs();
    for (const [key, hold] of this.#leases) {
      if (hold.endsAt <= now) {
        this.#leases.delete(key);
        continue;
      }
      const code = await this.#endCodeOf(hold);
      if (code === null) continue;
      await this.#stop(hold);
      this.#pushEnd(hold, code, null);
    }
  }

  /** null while the move may go on; where it cannot be asked, the next round asks again. */
  async #endCodeOf({ sessionId, deviceSerial, channelNo, isShared }: PtzLease): Promise<number | null> {
    const { database, clock, sessions, log } = this.#options;
    try {
      const session = await sessions.check(sessionId);
      if ('endCode' in session) return session.endCode;
      const rights = await loadRights(database, clock, session.principal);
      await authorizeDevice(database, rights, 'PtzControl', { deviceSerial, channelNo });
      return null;
    } catch (error) {
      if (error instanceof CallError) return isShared ? ERROR_CODES.shareEnded : error.code;
      log.warn({ err: error }, 'the right of a move could not be asked for');
      return null;
    }
  }

  async #stop({ deviceSerial, channelNo, operatorId }: PtzLease): Promise<void> {
    this.#leases.delete(`${deviceSerial}/${channelNo}/${operatorId}`);
    try {
      await this.#options.site.call('ptzStop', { deviceSerial, channelNo, operatorId, command: null });
    } catch (error) {
      // Without a connection the site stops by itself.
      if (!(error instanceof CallError)) throw error;
      this.#options.log.warn({ code: error.code, deviceSerial }, 'the site could not be told to stop a move');
    }
  }

  #pushEnd({ userId, operatorId, deviceSerial, channelNo }: PtzLease, code: number, userName: string | null): void {
    this.#options.hub.pushTo({ kind: 'ptzEnded', deviceSerial, channelNo, operatorId, code, userName }, [userId]);
  }
}

/** Tells sessions apart without naming them. */
export function operatorOf(sessionId: string): string {
  return createHash('sha256').update(`operator ${sessionId}`).digest('hex').slice(0, 16);
}
