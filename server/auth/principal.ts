// The authenticated account of a call, and the app that makes it in the account's name.
import type { AppScope } from '@vedette/contract/app-scopes.ts';

export interface Principal {
  readonly userId: string;
  readonly userName: string;
  /** EN-20; of an app that acts for an account, that of a sub-account: it owns nothing. */
  readonly userType: number;
  /** Account whose objects a sub-account works on; null for all others. */
  readonly ownerId: string | null;
  readonly sessionId: string;
  /** Absent: the account itself. */
  readonly app?: ActingAppPrincipal;
}

export interface ActingAppPrincipal {
  readonly appId: string;
  readonly appName: string;
  /** Null: the app acts for its owner, on everything that is its owner's. */
  readonly grantId: string | null;
  readonly scopes: readonly AppScope[];
  /** What the account allowed ends then, ms; null: nothing ends it. */
  readonly endTime: number | null;
  /** EN-20 of the account that it acts for. */
  readonly accountType: number;
  /** Origin of the page that called, one that the app lists; absent: a program, or a page of ours. */
  readonly pageOrigin?: string;
}
