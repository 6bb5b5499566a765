// Enforces the permission rule of a call, and passes the checked object to its handler.
import { scopeOfCall } from '@vedette/contract/calls/app-calls.ts';
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import type { CallPermission } from '@vedette/contract/call.ts';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { type AuthorizedDevice, hadSharedAccess, authorizeDevice, authorizeOrganization } from '../auth/authorize.ts';
import { embedOriginsOf } from '../auth/embed-origins.ts';
import { loadRights, type Rights } from '../auth/rights.ts';
import type { AuthenticatedSession, Credentials, Sessions } from '../auth/sessions.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import type { OrganizationRow } from '../database/schema/schema.ts';
import type { SignedInContext } from './handler.ts';

export interface RuleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: Sessions;
}

/** Throws 1001, 1002 or 2031; no token of an app is taken. */
export async function signIn(deps: RuleDeps, token: string | null): Promise<SignedInContext> {
  return withRights(deps, await deps.sessions.authenticate(token));
}

/** As above; for an app whose token does not open the call, and for a page that is not the app's, throws 1004 or 1006. */
export async function signInToCall(
  deps: RuleDeps,
  path: CallPath,
  incoming: Credentials & { readonly page: string | null },
): Promise<SignedInContext> {
  const session = await deps.sessions.authenticateAny(incoming);
  if (session.principal.app !== undefined) enforceScope(session.principal.app.scopes, path);
  return withRights(deps, incoming.page === null ? session : await onPage(deps, session, incoming.page));
}

/** A page of another origin calls for the app that lists it, and for nobody else. */
async function onPage(deps: RuleDeps, session: AuthenticatedSession, page: string): Promise<AuthenticatedSession> {
  const { app, ...principal } = session.principal;
  const isListed = app !== undefined && (await embedOriginsOf(deps.database, app.appId)).includes(page);
  if (!isListed) throw new CallError('permissionDenied');
  return { ...session, principal: { ...principal, app: { ...app, pageOrigin: page } } };
}

function withRights(deps: RuleDeps, session: AuthenticatedSession): SignedInContext {
  let loading: Promise<Rights> | null = null;
  const rights = () => {
    loading ??= loadRights(deps.database, deps.clock, session.principal);
    return loading;
  };
  return { ...session, rights };
}

function enforceScope(scopes: readonly AppScope[], path: CallPath): void {
  const needed = scopeOfCall(path);
  if (needed === null) throw new CallError('functionNotSupported');
  if (needed !== 'any' && !scopes.includes(needed)) throw new CallError('permissionDenied');
}

export interface CheckedObjects {
  readonly device?: AuthorizedDevice;
  readonly organization?: OrganizationRow | null;
}

/** `input` has passed the schema of the call. */
export async function enforceRule(
  deps: RuleDeps,
  rule: CallPermission,
  signedIn: SignedInContext,
  input: Readonly<Record<string, unknown>>,
): Promise<CheckedObjects> {
  switch (rule.kind) {
    case 'public':
    case 'session':
      return {};
    case 'userType':
      if (!rule.userTypes.includes(signedIn.principal.userType)) throw new CallError('permissionDenied');
      return {};
    case 'account':
      await enforceFlag(signedIn, rule.action);
      return {};
    case 'device':
      return { device: await enforceDevice(deps, rule.action, signedIn, input) };
    case 'organization':
      return { organization: await enforceOrganization(deps, rule.action, signedIn, input) };
  }
}

async function enforceFlag(signedIn: SignedInContext, action: Permission): Promise<void> {
  const { subject, grants, now } = await signedIn.rights();
  if (!accountPermissions(subject, grants, now).includes(action)) throw new CallError('permissionDenied');
}

async function enforceDevice(
  deps: RuleDeps,
  action: Permission,
  signedIn: SignedInContext,
  input: Readonly<Record<string, unknown>>,
): Promise<AuthorizedDevice> {
  const channelNo = input['channelNo'];
  const rights = await signedIn.rights();
  const which = {
    deviceSerial: String(input['deviceSerial']),
    channelNo: typeof channelNo === 'number' ? channelNo : undefined,
  };
  try {
    return await authorizeDevice(deps.database, rights, action, which);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== ERROR_CODES.devNotExist || !VIEWING.has(action)) throw error;
    if (await hadSharedAccess(deps.database, rights, which)) throw new CallError('shareEnded');
    throw error;
  }
}

/** Where these are refused a picture is missing, and its tile is to say why. */
const VIEWING: ReadonlySet<Permission> = new Set(['Realplay', 'Replay', 'Talk', 'PtzControl']);

async function enforceOrganization(
  deps: RuleDeps,
  action: Permission,
  signedIn: SignedInContext,
  input: Readonly<Record<string, unknown>>,
): Promise<OrganizationRow | null> {
  const organizationId = String(input['organizationId'] ?? input['parentOrgId']);
  if (organizationId !== '0') {
    return await authorizeOrganization(deps.database, await signedIn.rights(), action, organizationId);
  }
  if (!canOwn(signedIn.principal)) throw new CallError('permissionDenied');
  return null;
}
