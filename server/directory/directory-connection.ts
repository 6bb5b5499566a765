// One connection to a directory by LDAP: it binds and searches within a time and a number of bytes, follows no referral, and never binds without a password.
import type { Socket } from 'node:net';
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { Client, type Filter, PresenceFilter } from 'ldapts';
import { OutboundError, TOO_LARGE } from '../outbound/outbound-fault.ts';
import { DirectoryError, directoryFault, resultCodeOf } from './directory-fault.ts';
import { DirectoryEntry } from './directory-entry.ts';
import { type DirectoryHost, dialDirectory } from './directory-socket.ts';

/** Whose name and password is asked with. */
export interface BindName {
  /** Empty: without a name. */
  readonly name: string;
  readonly password: string;
}

export interface DirectoryPlace {
  /** Tried in this order. */
  readonly hosts: readonly string[];
  readonly security: DirectoryHost['security'];
  readonly authority: string;
  readonly bind: BindName;
}

export interface DirectorySearch {
  readonly base: string;
  readonly filter: Filter;
  readonly attributes: readonly string[];
  /** Those that are not text. */
  readonly binary?: readonly string[];
  /** Absent: the base and all that is below it. */
  readonly scope?: 'base' | 'sub';
  /** More are not fetched. */
  readonly most: number;
}

/**
 * Of RFC 4511, appendix A.2: noSuchObject, invalidDNSyntax, inappropriateAuthentication, invalidCredentials, insufficientAccessRights,
 * unwillingToPerform, and constraintViolation, which password policies use. Any other one says that the directory cannot tell.
 */
const NOT_PROVED: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53]);
/** Of the same: referral, noSuchObject, invalidDNSyntax and insufficientAccessRights. */
const NOT_READ: ReadonlySet<number> = new Set([10, 32, 34, 50]);
const ANYTHING = new PresenceFilter({ attribute: 'objectClass' });
/** timeLimitExceeded, sizeLimitExceeded and adminLimitExceeded hold the search, not the settings. */
const SEARCH_S = 5;

export class DirectoryConnection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #signal: AbortSignal;

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    // The address is only for the library's own check: the socket is open.
    this.#client = new Client({ url: 'ldap://directory', strictDN: false, createConnection: () => socket });
    let heard = 0;
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      if (heard > DIRECTORY_LIMITS.answerBytes) socket.destroy(new OutboundError('unreachable', TOO_LARGE));
    });
    socket.on('error', () => undefined);
  }

  /** Bound with the name of the place. Rejects with the DirectoryError of the last host. */
  static async open(
    place: DirectoryPlace,
    ownPorts: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<DirectoryConnection> {
    let failure = new DirectoryError('identityUnreachable');
    for (const host of place.hosts) {
      const within =
        place.hosts.length === 1 ? signal : AbortSignal.any([signal, AbortSignal.timeout(DIRECTORY_LIMITS.hostMs)]);
      try {
        const socket = await dialDirectory({ ...place, host }, ownPorts, within);
        const connection = new DirectoryConnection(socket, signal);
        await connection.#bindOrClose(place.bind);
        return connection;
      } catch (error) {
        failure = directoryFault(error, 'identityRefusedBind');
        // Another host would refuse the same name.
        if (failure.reason === 'identityRefusedBind' || signal.aborted) break;
      }
    }
    throw failure;
  }

  /** Throws DirectoryError. */
  async bindAgain(bind: BindName): Promise<void> {
    if (bind.name === '') return await this.#asked(() => this.#client.bind('', ''), 'identityRefusedBind');
    if (bind.password === '') throw new DirectoryError('identityRefusedBind', 'no password');
    await this.#asked(() => this.#client.bind(bind.name, bind.password), 'identityRefusedBind');
  }

  /**
   * Whether the password is that of the entry; the connection is bound as it then. A bind with a name and no password succeeds and
   * proves nothing (RFC 4513, section 5.1.2), so it is never sent. Throws DirectoryError where the directory cannot tell.
   */
  async proves(name: string, password: string): Promise<boolean> {
    if (name === '' || password === '' || password.startsWith('\0')) return false;
    try {
      await raceSignal(this.#client.bind(name, password), this.#signal);
      return true;
    } catch (error) {
      if (NOT_PROVED.has(resultCodeOf(error) ?? 0)) return false;
      throw this.#fault(error, 'identityUnreachable');
    }
  }

  /** Throws DirectoryError; what another directory would have, it leaves out. */
  async search({
    base,
    scope = 'sub',
    filter,
    attributes,
    binary = [],
    most,
  }: DirectorySearch): Promise<DirectoryEntry[]> {
    const found = await this.#asked(
      () =>
        this.#client.search(base, {
          scope,
          derefAliases: 'never',
          filter,
          attributes: [...attributes],
          explicitBufferAttributes: [...binary],
          sizeLimit: most,
          timeLimit: SEARCH_S,
        }),
      'identityBadSearch',
    );
    return found.searchEntries.slice(0, most).map((entry) => new DirectoryEntry(entry));
  }

  /** Null where there is none, it is elsewhere or may not be read. Throws DirectoryError where the directory cannot tell. */
  async entryAt(name: string, attributes: readonly string[]): Promise<DirectoryEntry | null> {
    try {
      const asked = { base: name, scope: 'base', filter: ANYTHING, attributes, most: 1 } as const;
      return (await this.search(asked))[0] ?? null;
    } catch (error) {
      const code = error instanceof DirectoryError ? resultCodeOf(error.cause) : null;
      if (code === null || !NOT_READ.has(code)) throw error;
      return null;
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #bindOrClose(bind: BindName): Promise<void> {
    try {
      // Without a name there is nothing to say before the search.
      if (bind.name !== '') await this.bindAgain(bind);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #asked<T>(ask: () => Promise<T>, byResult: 'identityRefusedBind' | 'identityBadSearch'): Promise<T> {
    try {
      return await raceSignal(ask(), this.#signal);
    } catch (error) {
      throw this.#fault(error, byResult);
    }
  }

  #fault(error: unknown, byResult: DirectoryError['reason']): DirectoryError {
    if (this.#signal.aborted) return new DirectoryError('identityUnreachable', 'no answer in time');
    const { errored } = this.#socket;
    return directoryFault(errored instanceof OutboundError ? errored : error, byResult);
  }
}
