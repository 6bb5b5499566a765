// All /ws connections: pushes events to accounts that may see them, resumes reconnected pages, and closes connections with their session.
import { HELLO_TIMEOUT_MS, type PageMessage, type PushEvent } from '@vedette/contract/calls/page-events.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { canOwn, decide } from '@vedette/rules/decide/decide.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { loadRights, type Rights } from '../auth/rights.ts';
import type { Principal } from '../auth/principal.ts';
import type { Sessions } from '../auth/sessions.ts';
import { CallError } from '../core/call-error.ts';
import { Signal } from '../core/signal.ts';
import { SharedReads } from '@vedette/foundation/concurrency/shared-reads.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { DatabaseBusy, withRequestDeadline } from '../database/request-deadline.ts';
import type { Database } from '../database/connection.ts';
import type { RevocationRow } from '../database/access/revocation.queries.ts';
import { EventJournal, type JournalEntry } from './event-journal.ts';
import { mayGet } from './app-events.ts';
import { type EventListener, limitedToToken, signInToEvents } from './event-sign-in.ts';
import type { SocketSlot } from '../core/socket-admission.ts';
import { BACKLOG_MAX_BYTES, PageConnection, parsePageMessage, textOf } from './page-connection.ts';

type Hello = Extract<PageMessage, { type: 'hello' }> & { readonly foreignPage: string | null };

/** Rights of a session, or the code that it ended with. */
type Checked = { readonly rights: Rights } | { readonly endCode: number };

/** Longest time of a call during a database outage, and a little more. */
const WELCOME_WITHIN_MS = 12_000;
const KEEP_ALIVE_MS = 60_000;
/** Interval of the check for sessions at their maximum age. */
const EXPIRED_EVERY_MS = 20_000;
/** Interval of the check for grants that start or end by time. */
const TIMED_CHANGES_EVERY_MS = 1000;

export interface RealtimeHubOptions {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Logger;
}

export class RealtimeHub {
  readonly #options: RealtimeHubOptions;
  readonly #journal: EventJournal;
  readonly #connections = new Set<PageConnection>();
  /** All pages of an account come back in the same moment after an outage. */
  readonly #signIns = new SharedReads<EventListener>();
  readonly #checks = new SharedReads<Checked>();
  /** A socket of the session closed. */
  readonly pageClosed = new Signal<string>();
  #timedChangesCheckedAt: number;
  #expiredCheckedAt: number;
  #cancelTimedChanges: (() => void) | null = null;

  constructor(options: RealtimeHubOptions) {
    this.#options = options;
    this.#timedChangesCheckedAt = options.clock.wallMs();
    this.#expiredCheckedAt = this.#timedChangesCheckedAt;
    this.#journal = new EventJournal({ startedAt: this.#timedChangesCheckedAt });
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Number of the newest event. */
  get newest(): number {
    return this.#journal.newest;
  }

  start(): void {
    this.#cancelTimedChanges = this.#options.clock.after(TIMED_CHANGES_EVERY_MS, () => {
      this.#pushTimedChanges();
      this.#endTokens();
      this.#endExpired().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'sessions of pages could not be checked');
      });
      this.start();
    });
  }

  /** @param foreignPage Origin of a page that is not ours */
  accept(socket: WebSocket, slot: SocketSlot, foreignPage: string | null): void {
    const { clock, log } = this.#options;
    let page: PageConnection | null = null;
    let keptAliveAt = clock.wallMs();
    let isGreeting = false;
    const cancelHello = clock.after(HELLO_TIMEOUT_MS, () => socket.close(4401, 'no hello'));
    socket.on('message', (raw: Buffer) => {
      const message = parsePageMessage(raw);
      if (message === null) {
        socket.close(4400, 'bad message');
      } else if (message.type === 'ping' && page !== null) {
        page.send({ type: 'pong', now: clock.wallMs() });
        keptAliveAt = this.#keepAlive(page, keptAliveAt);
      } else if (message.type === 'hello' && !isGreeting) {
        isGreeting = true;
        cancelHello();
        slot.extend(WELCOME_WITHIN_MS);
        void this.#welcome(socket, { ...message, foreignPage }, slot).then((greeted) => {
          page = greeted;
        });
      } else if (message.type === 'hello') {
        socket.close(4400, 'hello twice');
      }
    });
    // Pongs are sent by the socket itself, also before hello: a client that floods pings and reads nothing is disconnected.
    socket.on('ping', () => {
      if (socket.bufferedAmount > BACKLOG_MAX_BYTES) socket.terminate();
    });
    socket.on('error', (error) => log.debug({ err: error }, 'a page socket failed'));
    socket.on('close', cancelHello);
  }

  /** To every account that may see the object, with the right `action` on it if given. */
  pushAbout(
    event: PushEvent,
    object: RightsObject,
    { action = null, isHiddenFromWeb = false }: { action?: Permission | null; isHiddenFromWeb?: boolean } = {},
  ): void {
    this.#push(this.#journal.append(event, { kind: 'object', object, action, isHiddenFromWeb }));
  }

  pushTo(event: PushEvent, accountIds: Iterable<string>): void {
    this.#push(this.#journal.append(event, { kind: 'accounts', accountIds: new Set(accountIds) }));
  }

  /** To every account with devices, or with this right on another's device. */
  pushToHolders(event: PushEvent, action: Permission): void {
    this.#push(this.#journal.append(event, { kind: 'holders', action }));
  }

  /** Ended sessions get their code; accounts whose rights changed fetch again. */
  async applyRevocations(rows: readonly RevocationRow[]): Promise<void> {
    const concerned = new Set(rows.flatMap((row) => (row.accountId === null ? [] : [row.accountId])));
    const rechecked: Promise<void>[] = [];
    for (const page of this.#connections) {
      if (concerned.has(page.principal.userId)) rechecked.push(this.#recheck(page));
    }
    await Promise.all(rechecked);
    const changed = rows.filter((row) => row.reason !== 'session' && row.accountId !== null);
    this.#pushRightsChanged(new Set(changed.map((row) => row.accountId ?? '')));
  }

  close(): void {
    this.#cancelTimedChanges?.();
    for (const page of this.#connections) page.close();
    this.#connections.clear();
  }

  /** Shares start and end by time, without a change in the database. */
  #pushTimedChanges(): void {
    const from = this.#timedChangesCheckedAt;
    const to = this.#options.clock.wallMs();
    this.#timedChangesCheckedAt = to;
    const isPassed = (at: number | null) => at !== null && at > from && at <= to;
    const concerned = [...this.#connections].filter((page) =>
      page.rights.grants.some(
        ({ startTime, endTime, windows = [] }) =>
          isPassed(startTime) || isPassed(endTime) || windows.some((window) => isPassed(window.at(from).until)),
      ),
    );
    this.#pushRightsChanged(new Set(concerned.map((page) => page.principal.userId)));
  }

  #endTokens(): void {
    const now = this.#options.clock.wallMs();
    for (const page of this.#connections) {
      if (page.tokenEndsAt !== null && page.tokenEndsAt <= now) this.#end(page, ERROR_CODES.tokenExpired);
    }
  }

  /** An open page counts as use; it does not extend the maximum age. */
  async #endExpired(): Promise<void> {
    const now = this.#options.clock.wallMs();
    if (now - this.#expiredCheckedAt < EXPIRED_EVERY_MS) return;
    this.#expiredCheckedAt = now;
    const open = [...this.#connections].map((page) => page.principal.sessionId);
    const ended = new Set(await this.#options.sessions.expiredOf([...new Set(open)]));
    for (const page of this.#connections) {
      if (ended.has(page.principal.sessionId)) await this.#recheck(page);
    }
  }

  #pushRightsChanged(accountIds: ReadonlySet<string>): void {
    if (accountIds.size === 0) return;
    this.pushTo({ kind: 'rightsChanged' }, accountIds);
    this.pushTo({ kind: 'resourcesChanged' }, accountIds);
  }

  async #welcome(socket: WebSocket, hello: Hello, slot: SocketSlot): Promise<PageConnection | null> {
    const { clock, log } = this.#options;
    try {
      const listener = await this.#signIns.read(`${hello.accessToken} ${hello.foreignPage}`, () =>
        withRequestDeadline(() => signInToEvents(this.#options, hello)),
      );
      const { principal } = listener;
      if (socket.readyState !== socket.OPEN) return null;
      if (!slot.assignTo(holderOf(principal))) {
        socket.close(1013, 'too many pages');
        return null;
      }
      const page = new PageConnection({
        socket,
        ...listener,
        rights: { subject: principal, grants: [], now: clock.wallMs() },
      });
      this.#connections.add(page);
      socket.on('close', () => {
        this.#connections.delete(page);
        void this.pageClosed.emit(principal.sessionId);
      });
      // Read once the socket is known: a revocation during an earlier read would have missed it.
      await this.#recheck(page);
      this.#resume(page, hello.since);
      return page;
    } catch (error) {
      if (error instanceof CallError) {
        socket.send(JSON.stringify({ type: 'end', code: error.code }));
        socket.close(4401, 'refused');
      } else if (error instanceof DatabaseBusy) {
        socket.close(1013, 'try again later');
      } else {
        log.error({ err: error }, 'a page could not be greeted');
        socket.close(1011, 'failed');
      }
      return null;
    }
  }

  #resume(page: PageConnection, since: number | undefined): void {
    page.send({ type: 'welcome', seq: this.#journal.newest, now: this.#options.clock.wallMs() });
    if (since === undefined) return;
    const missed = this.#journal.after(since);
    if (missed === null) {
      page.send({ type: 'reset', seq: this.#journal.newest });
      return;
    }
    for (const entry of missed) {
      if (this.#maySee(page, entry)) page.send({ type: 'event', seq: entry.seq, event: entry.event });
    }
  }

  async #recheck(page: PageConnection): Promise<void> {
    const { sessionId, app } = page.principal;
    const checked = await this.#checks.read(`${sessionId} ${app?.scopes.join(' ')}`, () =>
      withRequestDeadline(() => this.#check(page.principal)),
    );
    if ('endCode' in checked) this.#end(page, checked.endCode);
    else page.rights = checked.rights;
  }

  async #check(asked: Principal): Promise<Checked> {
    const { sessions, database, clock } = this.#options;
    const checked = await sessions.check(asked.sessionId);
    if ('endCode' in checked) return checked;
    return { rights: await loadRights(database, clock, limitedToToken(checked.principal, asked)) };
  }

  #end(page: PageConnection, code: number): void {
    this.#connections.delete(page);
    page.end(code);
  }

  /** Serialized once for all receivers. */
  #push(entry: JournalEntry): void {
    let text: string | null = null;
    for (const page of this.#connections) {
      if (!this.#maySee(page, entry)) continue;
      text ??= textOf({ type: 'event', seq: entry.seq, event: entry.event });
      page.sendText(text);
    }
  }

  #maySee(page: PageConnection, { event, audience }: JournalEntry): boolean {
    const { app } = page.rights.subject;
    if (app !== undefined && !mayGet(app.scopes, event)) return false;
    if (audience.kind === 'accounts') return audience.accountIds.has(page.principal.userId);
    if (audience.kind === 'holders') {
      const { subject, grants } = page.rights;
      return canOwn(subject) || grants.some(({ permissions }) => permissions.includes(audience.action));
    }
    const { object, action, isHiddenFromWeb } = audience;
    if (isHiddenFromWeb && page.isWeb) return false;
    const { subject, grants }: Rights = page.rights;
    return decide({ subject, grants, now: this.#options.clock.wallMs(), action, object }).allowed;
  }

  #keepAlive(page: PageConnection, keptAliveAt: number): number {
    const now = this.#options.clock.wallMs();
    if (page.tokenEndsAt !== null) return keptAliveAt;
    if (now - keptAliveAt < KEEP_ALIVE_MS) return keptAliveAt;
    this.#options.sessions.keepAlive(page.principal.sessionId).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'a session could not be kept alive');
    });
    return now;
  }
}

/** Sockets of an app are counted apart from those of the account that it acts for. */
function holderOf({ userId, app }: Principal): string {
  return app === undefined ? userId : `${userId} ${app.appId}`;
}
