// The media tickets of this site: what each opens, when it was used, and what ends it.
import { createHash } from 'node:crypto';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { TICKET_IDLE_MS } from '@vedette/contract/limits.ts';
import type { TicketGrant } from '@vedette/contract/site/site.ts';

export interface TicketRefusal {
  readonly status: 401 | 403;
  readonly code: number;
  /** Of the ticket that is over: its page may read why. */
  readonly pageOrigin?: string;
}

/** Reason of its signal when it ends. */
export class TicketEnded extends Error {
  override readonly name = 'TicketEnded';
  readonly code: number;

  constructor(code: number) {
    super(`ticket ended with ${code}`);
    this.code = code;
  }
}

interface Entry {
  readonly grant: TicketGrant;
  readonly ended: AbortController;
  /** Monotonic: setting the clock must not expire new tickets (FT-07). */
  readonly firstUseBeforeMs: number;
  isUsed: boolean;
  lastUseMs: number;
  /** Open uses that keep it alive: live subscriptions, running responses. */
  held: number;
  endCode: number | null;
  endedMs: number;
}

export interface OpenTicket {
  readonly grant: TicketGrant;
  readonly ended: AbortSignal;
  /** Keeps the session from going idle until it is called. */
  hold(): () => void;
}

export interface TicketRegistryOptions {
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
  /** Runs once after `ms`; returns its cancel function. */
  readonly after: (ms: number, run: () => void) => () => void;
}

const SWEEP_EVERY_MS = 1000;

/** How long the reason of an end is remembered. */
const REMEMBERED_MS = 60_000;
/** Bounds memory; the oldest unused tickets are dropped first. */
const MAX_TICKETS = 50_000;
/** Far more than a page can use; beyond it a session's new tickets replace its own oldest. */
const MAX_PER_SESSION = 1000;

export class TicketRegistry {
  readonly #options: TicketRegistryOptions;
  readonly #byHash = new Map<string, Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly #bySession = new Map<string, Set<Entry>>();
  #cancelSweep: () => void = () => undefined;

  constructor(options: TicketRegistryOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byId.size;
  }

  add(grants: readonly TicketGrant[]): void {
    const sinceWallMs = this.#options.monotonicMs() - this.#options.wallMs();
    for (const grant of grants) {
      const entry: Entry = {
        grant,
        ended: new AbortController(),
        firstUseBeforeMs: grant.firstUseBefore + sinceWallMs,
        isUsed: false,
        lastUseMs: this.#options.monotonicMs(),
        held: 0,
        endCode: null,
        endedMs: 0,
      };
      this.#byHash.set(grant.ticketHash, entry);
      this.#byId.set(grant.ticketId, entry);
      const own = this.#bySession.get(grant.sessionId) ?? new Set();
      this.#bySession.set(grant.sessionId, own.add(entry));
      if (own.size > MAX_PER_SESSION) this.#forgetOne(own);
      if (this.#byId.size > MAX_TICKETS) this.#forgetOne(this.#byId.values());
    }
  }

  /** Counts as a use. `kinds`: accepted by the endpoint; `alone`: fails while another use is open. */
  open(
    ticket: string,
    kinds: readonly TicketGrant['kind'][],
    { alone = false }: { alone?: boolean } = {},
  ): OpenTicket | TicketRefusal {
    const entry = this.#byHash.get(createHash('sha256').update(ticket).digest('hex'));
    if (!entry) return { status: 401, code: ERROR_CODES.tokenInvalid };
    this.#endIfOver(entry);
    if (entry.endCode !== null) {
      const isExpiry = entry.endCode === ERROR_CODES.tokenExpired;
      const { pageOrigin } = entry.grant;
      return { status: isExpiry ? 401 : 403, code: entry.endCode, ...(pageOrigin && { pageOrigin }) };
    }
    if (!kinds.includes(entry.grant.kind)) return { status: 403, code: ERROR_CODES.permissionDenied };
    if (alone && entry.held > 0) return { status: 403, code: ERROR_CODES.permissionDenied };
    entry.isUsed = true;
    entry.lastUseMs = this.#options.monotonicMs();
    return { grant: entry.grant, ended: entry.ended.signal, hold: () => this.#hold(entry) };
  }

  /** Returns how many were open. */
  revoke(ticketIds: readonly string[], code: number): number {
    let closed = 0;
    for (const id of ticketIds) {
      const entry = this.#byId.get(id);
      if (!entry || entry.endCode !== null) continue;
      if (entry.isUsed) closed += 1;
      this.#end(entry, code);
    }
    return closed;
  }

  /** Open or not yet used. */
  ids(): string[] {
    return [...this.#byId.values()].filter((entry) => entry.endCode === null).map((entry) => entry.grant.ticketId);
  }

  /** Ends expired tickets, about once a second from now on. */
  start(): void {
    this.#cancelSweep = this.#options.after(SWEEP_EVERY_MS, () => {
      this.sweep();
      this.start();
    });
  }

  sweep(): void {
    const now = this.#options.monotonicMs();
    for (const entry of this.#byId.values()) {
      this.#endIfOver(entry);
      if (entry.endCode !== null && now - entry.endedMs > REMEMBERED_MS) this.#forget(entry);
    }
  }

  close(): void {
    this.#cancelSweep();
    for (const entry of this.#byId.values()) this.#end(entry, ERROR_CODES.serviceBusy);
  }

  #hold(entry: Entry): () => void {
    entry.held += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      entry.held -= 1;
      entry.lastUseMs = this.#options.monotonicMs();
    };
  }

  #endIfOver(entry: Entry): void {
    if (entry.endCode !== null) return;
    const { grant, isUsed, held, lastUseMs } = entry;
    const now = this.#options.monotonicMs();
    // The end of a share is wall-clock time, and moves when the clock is set.
    if (grant.until !== null && this.#options.wallMs() >= grant.until) this.#end(entry, ERROR_CODES.shareEnded);
    else if (!isUsed && now > entry.firstUseBeforeMs) this.#end(entry, ERROR_CODES.tokenExpired);
    else if (isUsed && held === 0 && now - lastUseMs > TICKET_IDLE_MS) {
      this.#end(entry, ERROR_CODES.tokenExpired);
    }
  }

  #end(entry: Entry, code: number): void {
    if (entry.endCode !== null) return;
    entry.endCode = code;
    entry.endedMs = this.#options.monotonicMs();
    entry.ended.abort(new TicketEnded(code));
  }

  /** The oldest unused one, else the oldest. */
  #forgetOne(entries: Iterable<Entry>): void {
    let oldest: Entry | null = null;
    for (const entry of entries) {
      oldest ??= entry;
      if (entry.isUsed && entry.endCode === null) continue;
      oldest = entry;
      break;
    }
    if (oldest) this.#forget(oldest);
  }

  #forget(entry: Entry): void {
    this.#end(entry, ERROR_CODES.tokenExpired);
    const own = this.#bySession.get(entry.grant.sessionId);
    if (own?.delete(entry) && own.size === 0) this.#bySession.delete(entry.grant.sessionId);
    this.#byHash.delete(entry.grant.ticketHash);
    this.#byId.delete(entry.grant.ticketId);
  }
}
