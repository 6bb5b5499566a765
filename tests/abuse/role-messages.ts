// What an attack and its helper processes say to each other: an order, and a report at the end.
import type { SocketKind } from './socket-kinds.ts';

export interface StrangerOrder {
  /** Opens these; else tells, and lets go where `leave` is set. */
  readonly open?: {
    readonly kinds: readonly SocketKind[];
    /** In all, spread over the kinds in turn. */
    readonly count: number;
    readonly host: string;
    readonly ports: { readonly gateway: number; readonly rtsp: number };
    readonly addresses: readonly string[];
    /** Those that are closed are opened again until the end. */
    readonly isAgain: boolean;
  };
  readonly leave?: boolean;
}

export interface StrangerReport {
  readonly opened: number;
  readonly held: number;
  readonly mostHeld: number;
  /** Of those that the product closed. */
  readonly longestMs: number;
}

export interface ViewingOrder {
  /** Begins to watch; else tells of the time since the last report. */
  readonly watch?: { readonly url: string; readonly ticket: string };
}

export interface ViewingReport {
  readonly frames: number;
  /** By the number of each fragment in its series. */
  readonly lost: number;
  readonly longestPauseMs: number;
  readonly isEnded: boolean;
}

export interface ListenerOrder {
  readonly host: string;
}

export interface ListenerReport {
  readonly port: number;
}

export interface SilentSiteOrder {
  readonly url: string;
  readonly localAddress: string;
}

export interface SilentSiteReport {
  /** From the answer to the upgrade until the end of the connection; null where there was no way in. */
  readonly openMs: number | null;
}

export interface PagesOrder {
  /** Opens these, and answers when all were let in. */
  readonly open?: {
    readonly url: string;
    /** One for each account. */
    readonly tokens: readonly string[];
    readonly count: number;
    readonly addresses: readonly string[];
  };
  /** Ms since 1970: tells which were let in after it. */
  readonly since?: number;
}

export interface PagesReport {
  readonly pages: number;
  readonly back: number;
  /** Of the last one that is back, ms after `since`. */
  readonly lastBackMs: number;
  /** How often any of them lost its socket. */
  readonly losses: number;
}
