// What a ticket allows on /media/talk; the site checks tickets, the engine only asks.
import type { BackChannel } from './back-channel.ts';

export interface TalkGrant {
  readonly allowed: true;
  readonly deviceSerial: string;
  readonly userId: string;
  readonly userName: string;
  /** Owner of the connection slot: an account, or its guests. */
  readonly holder: string;
  /** Origin other than ours whose page may use the grant; absent: none. */
  readonly pageOrigin?: string;
  /** Throws TalkRefusal. */
  readonly open: (onEnded: (refusal: TalkRefusal) => void, signal: AbortSignal) => Promise<BackChannel>;
  /** Aborted when the right ends; `codeOf` gives the code. */
  readonly ended: AbortSignal;
  readonly endCode: () => number;
  /** Called once when the talk has ended. */
  readonly onEnded: () => void;
}

/** An error code, with the reason for device errors. */
export class TalkRefusal extends Error {
  override readonly name = 'TalkRefusal';
  readonly code: number;
  readonly reason: string | null;

  constructor(code: number, reason: string | null = null) {
    super(`talk ended with ${code}`);
    this.code = code;
    this.reason = reason;
  }
}

/** Must not throw for an invalid ticket. */
export type AuthoriseTalk = (ticket: string) => TalkGrant | { readonly allowed: false; readonly code: number };
