// The edit of a connection: what was changed is sent, everything else stays as it is stored.
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';

export type StoredConnection = CallOutput<'device/connection/get'>;

export interface ConnectionDraft {
  readonly target: string;
  readonly user: string;
  /** Empty keeps the stored one. */
  readonly password: string;
}

export type ConnectionProblem = 'blank' | 'long' | 'hidden';

/** Stands for a password inside the stored address. */
const HIDDEN = '•';
export const TARGET_LENGTH_MAX = 512;

export function draftOf({ target, user }: StoredConnection): ConnectionDraft {
  return { target, user, password: '' };
}

export function isMoved(draft: ConnectionDraft, stored: StoredConnection): boolean {
  return draft.target.trim() !== stored.target;
}

export function isChanged(draft: ConnectionDraft, stored: StoredConnection): boolean {
  return isMoved(draft, stored) || draft.user !== stored.user || draft.password !== '';
}

export function targetProblem(draft: ConnectionDraft, stored: StoredConnection): ConnectionProblem | null {
  if (draft.target.trim() === '') return 'blank';
  if (draft.target.length > TARGET_LENGTH_MAX) return 'long';
  return isMoved(draft, stored) && draft.target.includes(HIDDEN) ? 'hidden' : null;
}

type Change = Omit<CallInput<'device/connection/test'>, 'deviceSerial'>;

/** The stored account is never used at a new address: there, what stands in the fields is sent. */
export function changeOf(draft: ConnectionDraft, stored: StoredConnection): Change {
  const moved = isMoved(draft, stored);
  return {
    ...(moved && { target: draft.target.trim() }),
    ...((moved || draft.user !== stored.user) && { user: draft.user }),
    ...(draft.password !== '' && { password: draft.password }),
  };
}
