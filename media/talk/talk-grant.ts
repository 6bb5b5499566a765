// What a ticket allows on /media/talk; the site checks tickets, the engine only asks.
import type { BackChannel } from './back-channel.ts';

export interface TalkGrant {
  readonly allowed: true;
  readonly deviceSerial: string;
  readonly userId: string;
  readonly userName: string;
  /** Whose place the connection takes: an account, or the guests of one. */
  readonly holder: string;
  /** Throws TalkRefusal. */
  readonly open: (onEnded: (refusal: TalkRefusal) => void, signal: AbortSignal) => Promise<BackChannel>;
  /** Aborted when the right ends; `codeOf` then says why. */
  readonly ended: AbortSignal;
  readonly endCode: () => number;
  /** Called once when the talk is over. */
  readonly onEnded: () => void;
}

/** A code of the error table, with the reason where the device is to blame. */
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

/** Must not throw for a ticket that is merely wrong. */
export type AuthoriseTalk = (ticket: string) => TalkGrant | { readonly allowed: false; readonly code: number };
