// Connection slots: counted by address before authentication, by account after it. A new connection is always accepted; the oldest of the largest address is evicted.
import { addressKey } from './address-key.ts';

export interface ConnectionLimits {
  /** Before it is known who is there: of all addresses from which nobody ever said who they are. */
  readonly unauthenticated: number;
  /** The same for addresses of which somebody did: strangers can't take these. */
  readonly reserved: number;
  /** Before it is known who is there: of one address. */
  readonly perAddress: number;
  /** Who has not said who they are by then is overdue. */
  readonly withinMs: number;
  /** Of one account, once it is known. */
  readonly perAccount: number;
  /** Of all accounts. */
  readonly authenticated: number;
}

export interface ConnectionSlot {
  /** It is known who is there: from now on strangers take nothing from this place. False where the account has all of its places. */
  assignTo(account: string): boolean;
  /** What was said there is being looked at: it is not overdue for so long. */
  extend(ms: number): void;
  /** The connection is over, or was evicted: once is enough, more do no harm. */
  release(): void;
}

/** Addresses that are remembered, the one longest unused is forgotten first. */
const KNOWN_ADDRESSES_MAX = 4096;
/** All are looked through this often within the time that each has, however many come. */
const SCANS_PER_TIMEOUT = 100;

interface Entry {
  readonly address: string;
  readonly evict: () => void;
  /** Overdue from then on. */
  until: number;
}

export class ConnectionSlots {
  readonly #limits: ConnectionLimits;
  readonly #now: () => number;
  readonly #unreserved = new EvictionQueue();
  readonly #reserved = new EvictionQueue();
  readonly #knownAddresses = new Set<string>();
  readonly #accounts = new Map<string, number>();
  #authenticated = 0;
  #nextScanAt = 0;

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(limits: ConnectionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Places of whom nobody knows yet who they are. */
  get unauthenticated(): number {
    return this.#unreserved.size + this.#reserved.size;
  }

  /** Places of accounts. */
  get authenticated(): number {
    return this.#authenticated;
  }

  countOf(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  /** Somebody whom we know comes from there. */
  reserveFor(address: string): void {
    const key = addressKey(address);
    this.#knownAddresses.delete(key);
    this.#knownAddresses.add(key);
    const [oldest] = this.#knownAddresses;
    if (this.#knownAddresses.size > KNOWN_ADDRESSES_MAX && oldest !== undefined) this.#knownAddresses.delete(oldest);
  }

  /** `evict` closes the connection; it may be called before this returns for others, never for the newcomer. */
  acquire(address: string, evict: () => void): ConnectionSlot {
    const key = addressKey(address);
    this.evictOverdue();
    const isKnown = this.#knownAddresses.has(key);
    const crowd = isKnown ? this.#reserved : this.#unreserved;
    const { perAddress, reserved, unauthenticated } = this.#limits;
    while (crowd.countOf(key) >= perAddress) crowd.evict(key);
    while (crowd.size > 0 && crowd.size >= (isKnown ? reserved : unauthenticated)) crowd.evict(crowd.largestAddress());
    const entry: Entry = { address: key, evict, until: this.#now() + this.#limits.withinMs };
    crowd.add(entry);
    let account: string | null = null;
    return {
      assignTo: (name) => {
        if (account !== null || !crowd.remove(entry) || !this.#mayAssign(name)) return false;
        account = name;
        this.#count(name, 1);
        this.reserveFor(key);
        return true;
      },
      extend: (ms) => {
        entry.until = this.#now() + ms;
      },
      release: () => {
        crowd.remove(entry);
        if (account !== null) this.#count(account, -1);
        account = null;
      },
    };
  }

  /** Whoever has not said who they are in time goes. Each newcomer does this too: a timer may be late while the machine is busy. */
  evictOverdue(): void {
    const now = this.#now();
    if (now < this.#nextScanAt) return;
    this.#nextScanAt = now + this.#limits.withinMs / SCANS_PER_TIMEOUT;
    this.#unreserved.evictOverdue(now);
    this.#reserved.evictOverdue(now);
  }

  #mayAssign(account: string): boolean {
    return this.#authenticated < this.#limits.authenticated && this.countOf(account) < this.#limits.perAccount;
  }

  #count(account: string, step: 1 | -1): void {
    this.#authenticated += step;
    const count = this.countOf(account) + step;
    if (count === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, count);
  }
}

/** Connections in the order in which they came, of each address and of all. */
class EvictionQueue {
  readonly #entries = new Set<Entry>();
  readonly #byAddress = new Map<string, Set<Entry>>();
  /** Addresses by how many places they have: the fullest is found without looking at all of them. */
  readonly #byCount: (Set<string> | undefined)[] = [];
  #highest = 0;

  get size(): number {
    return this.#entries.size;
  }

  countOf(address: string): number {
    return this.#byAddress.get(address)?.size ?? 0;
  }

  /** The address that has most places; of several the one that has had so many for longest. */
  largestAddress(): string {
    const [address = ''] = this.#byCount[this.#highest] ?? [];
    return address;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    const own = this.#byAddress.get(entry.address) ?? new Set();
    this.#byAddress.set(entry.address, own);
    own.add(entry);
    this.#moved(entry.address, own.size - 1, own.size);
  }

  /** False where it was evicted before. */
  remove(entry: Entry): boolean {
    if (!this.#entries.delete(entry)) return false;
    const own = this.#byAddress.get(entry.address);
    own?.delete(entry);
    const count = own?.size ?? 0;
    if (count === 0) this.#byAddress.delete(entry.address);
    this.#moved(entry.address, count + 1, count);
    return true;
  }

  /** The oldest of the address. */
  evict(address: string): void {
    const [oldest] = this.#byAddress.get(address) ?? [];
    if (oldest === undefined) return;
    this.remove(oldest);
    oldest.evict();
  }

  evictOverdue(now: number): void {
    for (const entry of this.#entries) {
      if (entry.until > now) continue;
      this.remove(entry);
      entry.evict();
    }
  }

  #moved(address: string, from: number, to: number): void {
    this.#byCount[from]?.delete(address);
    if (to > 0) {
      const same = this.#byCount[to] ?? new Set();
      this.#byCount[to] = same;
      same.add(address);
    }
    this.#highest = Math.max(this.#highest, to);
    while (this.#highest > 0 && (this.#byCount[this.#highest]?.size ?? 0) === 0) this.#highest -= 1;
  }
}
