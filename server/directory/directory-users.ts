// Users of a directory: found by the name that was typed or by the value that tells them apart, with their groups.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';
import type { Filter } from 'ldapts';
import type { DirectoryConnection } from './directory-connection.ts';
import { type DirectoryEntry, SHUT_ATTRIBUTES } from './directory-entry.ts';
import { DirectoryError } from './directory-fault.ts';
import { filterOfAnybody, filterOfName, filterOfSubject, isPlainName, subjectOf } from './directory-filter.ts';
import { groupsOfUser, type KnownParents, type UserGroups } from './directory-groups.ts';

/** What a subject may be, as for other identity providers (OpenID Connect Core 1.0, section 2). */
const SUBJECT_FORM = /^[\x20-\x7e]{1,255}$/;

export interface DirectoryUser {
  /** Distinguished name. */
  readonly entryName: string;
  readonly subject: string;
  readonly name: string;
  /** Empty: none. */
  readonly email: string;
  readonly groups: UserGroups;
  /** Values of the further attributes that were asked for. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export interface AskedOfUsers {
  /** Attributes to tell beside the usual ones. */
  readonly further: readonly string[];
  /** What is known already of groups within groups; absent: nothing. */
  readonly parents?: KnownParents;
}

export class DirectoryUsers {
  readonly #connection: DirectoryConnection;
  readonly #settings: DirectorySettings;
  readonly #further: readonly string[];
  readonly #parents: KnownParents;

  constructor(connection: DirectoryConnection, settings: DirectorySettings, asked: AskedOfUsers) {
    this.#connection = connection;
    this.#settings = settings;
    this.#further = asked.further;
    this.#parents = asked.parents ?? new Map();
  }

  /** Throws DirectoryError: nobody, several, or without a subject. */
  async entryNamed(name: string): Promise<DirectoryEntry> {
    if (!isPlainName(name)) throw new DirectoryError('identityNoUser');
    return await this.#one(filterOfName(this.#settings.userFilter, name));
  }

  async entryOf(subject: string): Promise<DirectoryEntry> {
    const { userFilter, idAttribute } = this.#settings;
    return await this.#one(filterOfSubject(userFilter, idAttribute, subject));
  }

  /** Throws DirectoryError where nobody may sign in. */
  async anybody(): Promise<DirectoryEntry> {
    const [entry] = await this.#search(filterOfAnybody(this.#settings.userFilter), 1);
    if (entry === undefined) throw new DirectoryError('identityNoUser');
    return entry;
  }

  /** With its groups; the connection has to be bound as at its start. Throws DirectoryError. */
  async user(entry: DirectoryEntry): Promise<DirectoryUser> {
    const { nameAttribute, mailAttribute } = this.#settings;
    return {
      entryName: entry.name,
      subject: this.#subject(entry),
      name: entry.texts(nameAttribute)[0] ?? '',
      email: entry.texts(mailAttribute)[0] ?? '',
      groups: await groupsOfUser(
        { connection: this.#connection, settings: this.#settings, parents: this.#parents },
        entry,
      ),
      attributes: Object.fromEntries(this.#further.map((name) => [name, entry.texts(name)])),
    };
  }

  async #one(filter: Filter): Promise<DirectoryEntry> {
    const [entry, second] = await this.#search(filter, 2);
    if (entry === undefined || entry.isShut()) throw new DirectoryError('identityNoUser');
    if (second !== undefined) throw new DirectoryError('identitySeveralUsers');
    this.#subject(entry);
    return entry;
  }

  #subject(entry: DirectoryEntry): string {
    const { idAttribute } = this.#settings;
    const [value, second] = entry.bytes(idAttribute);
    const subject = value === undefined || second !== undefined ? '' : subjectOf(idAttribute, value);
    if (!SUBJECT_FORM.test(subject)) throw new DirectoryError('identityNoId', idAttribute);
    return subject;
  }

  async #search(filter: Filter, most: number): Promise<DirectoryEntry[]> {
    const { searchBase, idAttribute, nameAttribute, mailAttribute, groupsBy } = this.#settings;
    const usual = [idAttribute, nameAttribute, ...SHUT_ATTRIBUTES, ...(mailAttribute === '' ? [] : [mailAttribute])];
    const groups = groupsBy === 'memberOf' ? ['memberOf'] : [];
    return await this.#connection.search({
      base: searchBase,
      filter,
      attributes: [...new Set([...usual, ...groups, ...this.#further])],
      // Directories write the name as their schema does.
      binary: [idAttribute, 'objectGUID'],
      most,
    });
  }
}
