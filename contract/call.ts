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
 * Step-up against stolen sessions. `session`: it proved itself by `account/stepUp` shortly before. `password`: the
 * input contains the password, so only accounts with two-factor authentication must step up.
 */
export type StepUp = 'session' | 'password';

/** `none`: not logged. `read`: counted only. `write`, `watch`: one entry in the audit log. */
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
  /** Absent: no step-up needed. Enforced by the pipeline. */
  readonly stepUp?: StepUp;
  /** Shows video or audio, or lets others see it; refused while video is closed for the account. Enforced by the pipeline. */
  readonly opensVideo?: true;
  /** Codes beside 200, 1000, 1001, 1002, 1003, 1004 and 1005 that callers must expect. */
  readonly errors?: readonly number[];
}

/** Keeps two literal types: the permission kind, which types the checked object of the handler, and the audit kind. */
export function call<
  I extends z.ZodType,
  O extends z.ZodType,
  const P extends CallPermission,
  const A extends AuditKind,
>(declaration: Call<I, O, P, A>): Call<I, O, P, A> {
  return declaration;
}
