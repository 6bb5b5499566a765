// Handlers of identity/provider/*: identity providers of the installation, kept by its operator.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { IdentityProvider, identityProviderCalls } from '@vedette/contract/calls/identity-provider.ts';
import { IDENTITY_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { endProviderSessions } from '../../auth/ended-sessions.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import {
  deleteIdentityProvider,
  insertIdentityProvider,
  listIdentityProviders,
  mappingsOf,
  type ProviderWithTotal,
  replaceMappings,
  updateIdentityProvider,
} from '../../database/account/identity-provider.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { IdentityMappingRow } from '../../database/schema/identity-schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import type { PublicOrigin } from '../../http/public-origin.ts';
import { refuseForeignAssignment } from '../user/user.facts.ts';
import { redirectUrlOf } from './identity-flows.ts';
import { columnsOf, refuseBadSettings, refuseOtherKind } from './provider-columns.ts';
import { tryProvider } from './provider-test.ts';

export interface IdentityProviderDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly ownPorts: ReadonlySet<number>;
}

type ProviderPath = Extract<keyof typeof identityProviderCalls, `identity/provider/${string}`>;
type Given = CallParsed<'identity/provider/save'>;

export function identityProviderHandlers(deps: IdentityProviderDeps): Handlers<ProviderPath> {
  const { database } = deps;
  return {
    'identity/provider/list': async ({ origin }) => {
      const providerList = await allProviders(database, origin);
      return { total: providerList.length, providerList };
    },
    'identity/provider/save': async ({ input, principal, origin, now, audit }) => {
      audit.object = input.providerName;
      const providerId = await save(deps, input, { principal, origin, now });
      return { provider: await oneProvider(database, origin, providerId) };
    },
    'identity/provider/delete': async ({ input: { providerId }, principal, now, audit }) => {
      const known = (await listIdentityProviders(database)).find((row) => row.provider_id === providerId);
      audit.object = requireFound(known, 'notFound').provider_name;
      await database.transaction().execute(async (transaction) => {
        await endProviderSessions(transaction, { providerId, except: principal.sessionId }, now);
        await deleteIdentityProvider(transaction, providerId);
      });
      return {};
    },
    'identity/provider/test': async ({ input, audit }) => {
      audit.object = input.directory?.hosts[0] ?? input.issuer ?? null;
      const known = (await listIdentityProviders(database)).find((row) => row.provider_id === input.providerId);
      if (input.providerId !== undefined) requireFound(known, 'notFound');
      return await tryProvider(deps, input, known);
    },
  };
}

interface Saving {
  readonly principal: Principal;
  readonly origin: PublicOrigin;
  readonly now: number;
}

/** Id of the saved row. Throws 1003 by field, 1007, 1010 with the newer provider, 1011, 1016. */
async function save(deps: IdentityProviderDeps, input: Given, { principal, origin, now }: Saving): Promise<string> {
  const { database } = deps;
  refuseBadSettings(input);
  const rows = await listIdentityProviders(database);
  const known = input.providerId === undefined ? undefined : rows.find((row) => row.provider_id === input.providerId);
  if (input.providerId !== undefined && known === undefined) throw new CallError('notFound');
  if (known === undefined && rows.length >= IDENTITY_LIMITS.providers) throw new CallError('quotaExceeded');
  refuseOtherKind(input, known);
  const ownerId = known?.owner_id ?? principal.userId;
  const providerId = known?.provider_id ?? newId();
  const columns = columnsOf(deps.box, input, { providerId, known });
  const isTaken = rows.some((row) => row !== known && new URL(row.issuer).href === new URL(columns.issuer).href);
  if (isTaken) throw issuerTaken();
  await refusingTakenIssuer(() =>
    database.transaction().execute(async (transaction) => {
      await refuseForeignAssignment(transaction, ownerId, {
        roleIds: input.mappingList.flatMap(({ roleId }) => (roleId === null ? [] : [roleId])),
        organizationIds: input.mappingList.flatMap((row) => (row.organizationId === null ? [] : [row.organizationId])),
      });
      if (known === undefined) {
        const created = { ...columns, provider_id: providerId, owner_id: ownerId, created_at: now };
        await insertIdentityProvider(transaction, created);
      } else if (!(await updateIdentityProvider(transaction, { providerId, version: input.version ?? 0 }, columns))) {
        throw new CallError('stale', await oneProvider(transaction, origin, providerId));
      } else if (known.is_enabled && !input.isEnabled) {
        await endProviderSessions(transaction, { providerId, except: principal.sessionId }, now);
      }
      await replaceMappings(
        transaction,
        providerId,
        input.mappingList.map(({ claim, value, roleId, organizationId }) => ({
          claim,
          value,
          role_id: roleId,
          organization_id: organizationId,
        })),
      );
    }),
  );
  return providerId;
}

function issuerTaken(): CallError {
  return new CallError('alreadyExists', { issuer: 'notAllowed' });
}

/** Also where two save at the same time. */
async function refusingTakenIssuer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw issuerTaken();
    throw error;
  }
}

async function allProviders(database: Database, origin: PublicOrigin): Promise<IdentityProvider[]> {
  const rows = await listIdentityProviders(database);
  const mappings = await mappingsOf(
    database,
    rows.map((row) => row.provider_id),
  );
  return rows.map((row) => toProvider(row, { mappings, origin }));
}

async function oneProvider(database: Database, origin: PublicOrigin, providerId: string): Promise<IdentityProvider> {
  const all = await allProviders(database, origin);
  return requireFound(
    all.find((one) => one.providerId === providerId),
    'notFound',
  );
}

function toProvider(
  row: ProviderWithTotal,
  { mappings, origin }: { readonly mappings: readonly IdentityMappingRow[]; readonly origin: PublicOrigin },
): IdentityProvider {
  return {
    providerId: row.provider_id,
    providerName: row.provider_name,
    issuer: row.issuer,
    clientId: row.client_id,
    hasSecret: row.client_secret !== null,
    scopes: row.scopes,
    isEnabled: row.is_enabled,
    createsAccounts: row.creates_accounts,
    linksByEmail: row.links_by_email,
    mappingList: mappings
      .filter((mapping) => mapping.provider_id === row.provider_id)
      .map(({ claim, value, role_id: roleId, organization_id: organizationId }) => ({
        claim,
        value,
        roleId,
        organizationId,
      })),
    redirectUrl: row.directory === null ? redirectUrlOf(origin, row.provider_id) : '',
    directory: row.directory,
    linkTotal: row.link_total,
    version: row.version,
    createTime: row.created_at,
  };
}
