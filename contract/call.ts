// Declaration of a call: schemas, permission, audit. Server, client, OpenAPI and the permission matrix derive from it.
import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** Who may make a call. The server refuses to start a handler whose rule it can't enforce. */
export type CallPermission =
  /** Without a session. */
  | { readonly kind: 'public' }
  /** Any signed-in account; what it sees is filtered by `visible()`. */
  | { readonly kind: 'session' }
  /** The right on the object that the input names by `deviceSerial` and, where present, `channelNo`; a foreign one answers 1009. */
  | { readonly kind: 'device'; readonly action: Permission }
  /** The right on the organisation that the input names by `organizationId` (`parentOrgId` when adding); a foreign one answers 1007. */
  | { readonly kind: 'organization'; readonly action: Permission }
  /** The flag on the account as a whole (user types super, manage, ordinary hold all flags over what they own). */
  | { readonly kind: 'account'; readonly action: Permission }
  /** One of the user types of EN-20. */
  | { readonly kind: 'userType'; readonly userTypes: readonly number[] };

/**
 * What a stolen session must not do. `session`: it has proved itself by `account/stepUp` a moment ago. `password`: the input gives
 * the password itself, so that only who has a second factor needs that.
 */
export type StepUp = 'session' | 'password';

/** `none`: not written down. `read`: counted. `write`, `watch`: one line in the audit log. */
export type AuditKind = 'none' | 'read' | 'write' | 'watch';

export interface Call<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends CallPermission = CallPermission,
  A extends AuditKind = AuditKind,
> {
  readonly input: I;
  readonly output: O;
  readonly permission: P;
  readonly audit: A;
  readonly summary: string;
  /** Left out: the session alone will do. The pipeline enforces it. */
  readonly stepUp?: StepUp;
  /** Shows pictures or audio, or hands the sight of them on; refused while video is closed for the account. The pipeline enforces it. */
  readonly opensVideo?: true;
  /** Codes beside 200, 1000, 1001, 1002, 1003, 1004 and 1005 that callers must expect. */
  readonly errors?: readonly number[];
}

/** Keeps two literals in the type: of the permission kind, by which a handler gets the object that its rule has checked, and of the audit kind. */
export function call<
  I extends z.ZodType,
  O extends z.ZodType,
  const P extends CallPermission,
  const A extends AuditKind,
>(declaration: Call<I, O, P, A>): Call<I, O, P, A> {
  return declaration;
}
