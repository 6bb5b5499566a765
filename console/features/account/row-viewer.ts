// For whom a screen is offered: the account that is signed in, or in SaaS mode the app.
import type { AppScope } from '@vedette/contract/app-scopes.ts';

export interface RowViewer {
  readonly isSignedIn: boolean;
  readonly userType: number;
  /** What the app may do; null outside of SaaS mode. */
  readonly saasScopes: readonly AppScope[] | null;
}

/** The part of a screen's row that says who may open it. */
interface OfferedRow {
  readonly isOpenInWeb: boolean;
  readonly saasScope?: AppScope;
  readonly userTypes?: readonly number[];
}

/** Without a session only what opens without one is offered. */
export function isForUser(row: OfferedRow, { isSignedIn, userType, saasScopes }: RowViewer): boolean {
  if (saasScopes !== null) return row.saasScope !== undefined && saasScopes.includes(row.saasScope);
  if (!isSignedIn) return row.isOpenInWeb;
  return row.userTypes === undefined || row.userTypes.includes(userType);
}
