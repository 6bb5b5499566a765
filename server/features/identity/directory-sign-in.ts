// Signs users of directories in by the ordinary sign-in: asked after the accounts of our own, all within one time.
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { Logger } from 'pino';
import { CallError } from '../../core/call-error.ts';
import { directoryLinksOf } from '../../database/account/identity-link.queries.ts';
import {
  type DirectoryProviderRow,
  enabledDirectories,
  mappingsOf,
} from '../../database/account/identity-provider.queries.ts';
import type { IdentityMappingRow } from '../../database/schema/identity-schema.ts';
import { connectionFault, DirectoryError } from '../../directory/directory-fault.ts';
import type { DirectoryUser, DirectoryUsers } from '../../directory/directory-users.ts';
import type { DirectoryEntry } from '../../directory/directory-entry.ts';
import type { Directories, DirectoryAnswer } from '../account/account.facts.ts';
import { claimsOf, type DirectoryAccessDeps, questionOf, userByPassword } from './directory-access.ts';
import { accountOfUser, type ArrivedUser, type IdentityAccountsDeps } from './identity-accounts.ts';
import { identityFailure } from './identity-failure.ts';
import { mappedRights } from './mapped-rights.ts';

export interface DirectorySignInDeps extends IdentityAccountsDeps, DirectoryAccessDeps {
  readonly log: Logger;
}

/** `failure`: the directory could not be asked. */
export interface DirectoryUserAnswer {
  readonly user: Pick<ArrivedUser, 'provider' | 'claims'> | null;
  readonly failure: CallError | null;
}

interface ProvedUser {
  readonly row: DirectoryProviderRow;
  readonly mappings: readonly IdentityMappingRow[];
  readonly user: DirectoryUser;
}

interface Answer {
  readonly proved: ProvedUser | null;
  readonly failure: CallError | null;
}

export class DirectorySignIn implements Directories {
  readonly #deps: DirectorySignInDeps;
  /** A directory that hangs holds so many connections and no more. */
  readonly #places = new Semaphore({ places: DIRECTORY_LIMITS.signIns });

  constructor(deps: DirectorySignInDeps) {
    this.#deps = deps;
  }

  /** Asks each directory in turn, whoever `typed` is. */
  async ask(typed: string, password: string): Promise<DirectoryAnswer> {
    const rows = await enabledDirectories(this.#deps.database);
    const { proved, failure } = await this.#inTurn(rows, password, () => (users) => users.entryNamed(typed));
    if (proved === null) return { proof: null, failure };
    const { row, mappings, user } = proved;
    const claims = claimsOf(row, user);
    const account = async (now: number) =>
      await accountOfUser(this.#deps, { provider: row, claims, rights: mappedRights(claims, mappings), now });
    return { proof: { providerName: row.provider_name, account }, failure: null };
  }

  /** Of an account without a password of its own: whether this is the one that its directory knows. Throws 1044. */
  async proves(accountId: string, password: string): Promise<boolean> {
    const { database } = this.#deps;
    const links = await directoryLinksOf(database, accountId);
    const rows = (await enabledDirectories(database)).filter((row) => links.has(row.provider_id));
    const { proved, failure } = await this.#inTurn(
      rows,
      password,
      (row) => (users) => users.entryOf(links.get(row.provider_id) ?? ''),
    );
    if (proved === null && failure !== null) throw failure;
    return proved !== null;
  }

  /** Undefined where it is no directory, or signs nobody in. */
  async enabled(providerId: string): Promise<DirectoryProviderRow | undefined> {
    return (await enabledDirectories(this.#deps.database)).find((row) => row.provider_id === providerId);
  }

  /** Of this directory alone: the user whose password it is. */
  async userOf(
    provider: DirectoryProviderRow,
    { typed, password }: { readonly typed: string; readonly password: string },
  ): Promise<DirectoryUserAnswer> {
    const { proved, failure } = await this.#inTurn([provider], password, () => (users) => users.entryNamed(typed));
    return { user: proved === null ? null : { provider, claims: claimsOf(provider, proved.user) }, failure };
  }

  async #inTurn(
    rows: readonly DirectoryProviderRow[],
    password: string,
    whichOf: (row: DirectoryProviderRow) => (users: DirectoryUsers) => Promise<DirectoryEntry>,
  ): Promise<Answer> {
    if (rows.length === 0) return { proved: null, failure: null };
    const mappings = await mappingsOf(
      this.#deps.database,
      rows.map((row) => row.provider_id),
    );
    const signal = AbortSignal.timeout(DIRECTORY_LIMITS.answerMs);
    let failure: CallError | null = null;
    for (const row of rows) {
      const own = mappings.filter((mapping) => mapping.provider_id === row.provider_id);
      const question = questionOf(this.#deps, row, own);
      const within = { password, ownPorts: this.#deps.ownPorts, signal };
      try {
        const user = await this.#places.run(() => userByPassword(question, whichOf(row), within), { signal });
        if (user !== null) return { proved: { row, mappings: own, user }, failure: null };
      } catch (error) {
        failure = this.#told(row, error, signal);
      }
    }
    return { proved: null, failure };
  }

  /** To whoever signs in all failures are one; the log says which. */
  #told(row: DirectoryProviderRow, error: unknown, signal: AbortSignal): CallError {
    const isExpected = error instanceof DirectoryError || signal.aborted;
    if (!isExpected) throw error;
    const { reason, detail } = connectionFault(error);
    this.#deps.log.warn({ provider: row.provider_name, reason, detail }, 'a directory could not be asked');
    return identityFailure('identityUnreachable');
  }
}
