// Directories as identity providers: how one is reached with what is stored of it, and what its users are in claims.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';
import type { Claims } from './identity-protocol.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { DirectoryProviderRow, MappingColumns } from '../../database/account/identity-provider.queries.ts';
import type { IdentityProviderRow } from '../../database/schema/identity-schema.ts';
import { DirectoryConnection, type DirectoryPlace } from '../../directory/directory-connection.ts';
import type { DirectoryEntry } from '../../directory/directory-entry.ts';
import { DirectoryError } from '../../directory/directory-fault.ts';
import { type AskedOfUsers, type DirectoryUser, DirectoryUsers } from '../../directory/directory-users.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { secretRow } from './identity-flows.ts';

/** The claim that the groups of a user are told by. */
const GROUPS = 'groups';
const ATTRIBUTE = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

export interface DirectoryAccessDeps {
  readonly box: SecretBox;
  readonly ownPorts: ReadonlySet<number>;
}

export interface DirectoryQuestion extends AskedOfUsers {
  readonly settings: DirectorySettings;
  readonly bind: DirectoryPlace['bind'];
}

/** What a stored directory is asked with. `mappings`: what their claims name is asked for. */
export function questionOf(
  { box }: Pick<DirectoryAccessDeps, 'box'>,
  row: DirectoryProviderRow,
  mappings: readonly MappingColumns[],
): DirectoryQuestion {
  const password = row.client_secret === null ? '' : box.open(row.client_secret, secretRow(row));
  const further = mappings.map(({ claim }) => claim).filter((claim) => claim !== GROUPS && ATTRIBUTE.test(claim));
  return { settings: row.directory, bind: { name: row.client_id, password }, further: [...new Set(further)] };
}

/** One connection for the work, within the signal. Throws DirectoryError. */
export async function askDirectory<T>(
  { settings, bind, ...asked }: DirectoryQuestion,
  { ownPorts, signal }: { readonly ownPorts: ReadonlySet<number>; readonly signal: AbortSignal },
  work: (users: DirectoryUsers, connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  const connection = await DirectoryConnection.open({ ...settings, bind }, ownPorts, signal);
  try {
    return await work(new DirectoryUsers(connection, settings, asked), connection);
  } finally {
    connection.close();
  }
}

/** The user whose password it is; null: nobody's. Throws DirectoryError where the directory cannot tell. */
export async function userByPassword(
  question: DirectoryQuestion,
  which: (users: DirectoryUsers) => Promise<DirectoryEntry>,
  {
    password,
    ...within
  }: { readonly password: string; readonly ownPorts: ReadonlySet<number>; readonly signal: AbortSignal },
): Promise<DirectoryUser | null> {
  return await askDirectory(question, within, async (users, connection) => {
    const entry = await entryOrNull(() => which(users));
    if (entry === null) {
      // As many questions as for somebody who is there, so that the time tells nothing.
      await connection.proves(`cn=${newId()},${question.settings.searchBase}`, password).catch(() => false);
      return null;
    }
    if (!(await connection.proves(entry.name, password))) return null;
    await connection.bindAgain(question.bind);
    return await users.user(entry);
  });
}

/** In the form of other identity providers. Whoever keeps the directory vouches for its addresses. */
export function claimsOf({ issuer }: Pick<IdentityProviderRow, 'issuer'>, user: DirectoryUser): Claims {
  return {
    ...user.attributes,
    iss: issuer,
    sub: user.subject,
    preferred_username: user.name,
    email: user.email,
    email_verified: user.email !== '',
    [GROUPS]: [...user.groups.direct, ...user.groups.nested],
  };
}

async function entryOrNull(find: () => Promise<DirectoryEntry>): Promise<DirectoryEntry | null> {
  try {
    return await find();
  } catch (error) {
    const isNobody = error instanceof DirectoryError && NOBODY.has(error.reason);
    if (!isNobody) throw error;
    return null;
  }
}

const NOBODY: ReadonlySet<string> = new Set(['identityNoUser', 'identitySeveralUsers', 'identityNoId']);
