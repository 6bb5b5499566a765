// Asks directories now and then whether their users are still there: who is gone loses the sessions, and who changed groups the rights.
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { endAllAccess } from '../../auth/ended-sessions.ts';
import type { Database } from '../../database/connection.ts';
import { directoryLinksAfter, noteGone } from '../../database/account/identity-link.queries.ts';
import {
  type DirectoryProviderRow,
  enabledDirectories,
  mappingsOf,
} from '../../database/account/identity-provider.queries.ts';
import type { IdentityLinkRow, IdentityMappingRow } from '../../database/schema/identity-schema.ts';
import { DirectoryError } from '../../directory/directory-fault.ts';
import type { DirectoryUser, DirectoryUsers } from '../../directory/directory-users.ts';
import {
  askDirectory,
  claimsOf,
  type DirectoryAccessDeps,
  type DirectoryQuestion,
  questionOf,
} from './directory-access.ts';
import { followMappingOf } from './identity-accounts.ts';
import { mappedRights } from './mapped-rights.ts';

/** Users asked for over one connection. */
const BATCH = 50;

export interface DirectoryRecheckDeps extends DirectoryAccessDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts what is under way. */
  readonly signal: AbortSignal;
}

interface CheckedProvider {
  readonly row: DirectoryProviderRow;
  readonly mappings: readonly IdentityMappingRow[];
}

export class DirectoryRecheck {
  readonly #deps: DirectoryRecheckDeps;
  #cancel: (() => void) | null = null;

  constructor(deps: DirectoryRecheckDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#cancel = clock.after(DIRECTORY_LIMITS.recheckMs, () => {
      this.run()
        .catch((error: unknown) => log.warn({ err: error }, 'users of directories could not be looked up'))
        .finally(() => this.#cancel !== null && this.start());
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Once over all directories. */
  async run(): Promise<void> {
    for (const row of await enabledDirectories(this.#deps.database)) {
      try {
        await this.#checkAll(row);
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        // Nobody is gone because a directory is away.
        const { reason, detail } = error;
        this.#deps.log.warn({ provider: row.provider_name, reason, detail }, 'a directory could not be asked');
      }
    }
  }

  async #checkAll(row: DirectoryProviderRow): Promise<void> {
    const { database } = this.#deps;
    const mappings = await mappingsOf(database, [row.provider_id]);
    const question = { ...questionOf(this.#deps, row, mappings), parents: new Map() };
    let subject = '';
    for (;;) {
      const links = await directoryLinksAfter(database, { providerId: row.provider_id, subject, most: BATCH });
      if (links.length === 0) return;
      subject = await this.#checkBatch(links, question, { row, mappings });
    }
  }

  /**
   * Subject of the last user who was looked at. Many groups may take more than one connection may have: the next one goes on behind
   * that user, and has to get further. Throws DirectoryError where nobody was looked at.
   */
  async #checkBatch(
    links: readonly IdentityLinkRow[],
    question: DirectoryQuestion,
    provider: CheckedProvider,
  ): Promise<string> {
    const { ownPorts, signal: ended } = this.#deps;
    const signal = AbortSignal.any([ended, AbortSignal.timeout(DIRECTORY_LIMITS.answerMs)]);
    let last: string | null = null;
    try {
      await askDirectory(question, { ownPorts, signal }, async (users) => {
        for (const link of links) {
          await this.#checkOne(link, users, provider);
          last = link.subject;
        }
      });
    } catch (error) {
      if (!(error instanceof DirectoryError) || last === null) throw error;
    }
    return last ?? '';
  }

  async #checkOne(link: IdentityLinkRow, users: DirectoryUsers, { row, mappings }: CheckedProvider): Promise<void> {
    const { database, clock, log } = this.#deps;
    const now = clock.wallMs();
    const user = await userOrNull(users, link.subject);
    if (user !== null) {
      const claims = claimsOf(row, user);
      await followMappingOf(database, link, { provider: row, claims, rights: mappedRights(claims, mappings), now });
      return;
    }
    await database.transaction().execute(async (transaction) => {
      if (!(await noteGone(transaction, link, now))) return;
      await endAllAccess(transaction, link.account_id, now);
      log.info({ provider: row.provider_name, accountId: link.account_id }, 'a directory has a user no more');
    });
  }
}

/** Null: removed, disabled, or not among those who may sign in. */
async function userOrNull(users: DirectoryUsers, subject: string): Promise<DirectoryUser | null> {
  try {
    return await users.user(await users.entryOf(subject));
  } catch (error) {
    if (error instanceof DirectoryError && error.reason === 'identityNoUser') return null;
    throw error;
  }
}
