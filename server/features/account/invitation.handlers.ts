// Handlers of invitations: create, list, withdraw, open and accept.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { createHash } from 'node:crypto';
import type { Invitation, invitationCalls } from '@vedette/contract/calls/invitation.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { withNameEnumerationLimit } from '../../auth/name-enumeration-limit.ts';
import { CallError, refuseBadFields } from '../../core/call-error.ts';
import type { InvitationRow } from '../../database/schema/account-schema.ts';
import { insertAccount } from '../../database/account/account.queries.ts';
import {
  deleteInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  type OpenInvitation,
  useInvitation,
} from '../../database/account/invitation.queries.ts';
import { rememberBrowser } from '../../database/account/known-browser.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { reserveQuota, withinQuota } from '../../quota/reserve-quota.ts';
import { openSession, type SignInDeps } from './sign-in.ts';

export interface InvitationDeps extends SignInDeps {
  readonly attempts: AttemptLimiter;
}

export function invitationHandlers(deps: InvitationDeps): Handlers<keyof typeof invitationCalls> {
  const { database } = deps;
  return {
    'user/invitation/create': async ({ input, principal, now }) => {
      if (!creatableUserTypes(principal.userType).includes(input.userType)) throw new CallError('permissionDenied');
      const token = newSecret();
      const row: InvitationRow = {
        invitation_id: newId(),
        token_hash: tokenHash(token),
        created_by: principal.userId,
        user_type: input.userType,
        description: input.description,
        created_at: now,
        expires_at: now + input.days * DAY_MS,
      };
      const use = { accountId: principal.userId, now, take: { invitations: 1 } };
      await withinQuota(database, use, (transaction) => insertInvitation(transaction, row));
      return { invitation: toInvitation(row), token };
    },
    'user/invitation/list': async ({ principal, now }) => {
      const rows = await listInvitations(database, principal.userId, now);
      return { total: rows.length, invitationList: rows.map(toInvitation) };
    },
    'user/invitation/revoke': async ({ input, principal }) => {
      if (!(await deleteInvitation(database, principal.userId, input.invitationId))) throw new CallError('notFound');
      return {};
    },
    'user/invitation/open': async ({ input, now }) => {
      const row = await needInvitation(deps, input.token, now);
      return { inviterName: row.inviter_name, userType: row.user_type, expiresAt: row.expires_at };
    },
    'user/invitation/accept': async ({ input, now, address, agent, audit }) => {
      const invitation = await needInvitation(deps, input.token, now);
      refuseBadFields({ username: usernameProblem(input.username), password: passwordProblem(input.password) });
      const account = await accept(deps, invitation, { ...input, agent }, now);
      audit.accountId = account.account_id;
      const { browserId = '' } = input;
      return await openSession(deps.sessions, account, { browserId, clientType: 'web', address, agent });
    },
  };
}

/** Throws 1007 also if the inviter may no longer create such accounts. */
async function needInvitation(deps: SignInDeps, token: string, now: number): Promise<OpenInvitation> {
  const row = await findInvitation(deps.database, tokenHash(token), now);
  const isGood = row !== undefined && creatableUserTypes(row.inviter_type).includes(row.user_type);
  if (!isGood) throw new CallError('notFound');
  return row;
}

interface Acceptance {
  readonly username: string;
  readonly password: string;
  readonly browserId?: string | undefined;
  readonly agent: string;
}

async function accept(deps: InvitationDeps, invitation: OpenInvitation, wish: Acceptance, now: number) {
  const passwordHash = await deps.hasher.hash(wish.password);
  const account = { account_id: newId(), user_name: wish.username, user_type: invitation.user_type };
  const asker = { askerId: `invitation ${invitation.invitation_id}`, field: 'username' };
  // The invitation stays valid for another name.
  await withNameEnumerationLimit(deps.attempts, asker, () =>
    deps.database.transaction().execute(async (transaction) => {
      if (!(await useInvitation(transaction, invitation.invitation_id))) throw new CallError('notFound');
      if (account.user_type === USER_TYPE.sub) {
        await reserveQuota(transaction, { accountId: invitation.created_by, now, take: { subAccounts: 1 } });
      }
      await insertAccount(transaction, {
        accountId: account.account_id,
        userName: account.user_name,
        passwordHash,
        userType: account.user_type,
        ownerId: account.user_type === USER_TYPE.sub ? invitation.created_by : null,
        createdBy: invitation.created_by,
        createdAt: now,
      });
      const { browserId, agent } = wish;
      if (browserId !== undefined) {
        await rememberBrowser(transaction, account.account_id, { browserId, agent }, now);
      }
    }),
  );
  return account;
}

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    invitationId: row.invitation_id,
    userType: row.user_type,
    description: row.description,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
