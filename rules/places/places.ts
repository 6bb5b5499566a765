// Connection slots: counted by address before authentication, by account after it. A new connection is always accepted; the oldest of the largest address is evicted.
import { addressKey } from './address-key.ts';

export interface PlaceLimits {
  /** Before it is known who is there: of all addresses from which nobody ever said who they are. */
  readonly strangers: number;
  /** The same for addresses of which somebody did: strangers can't take these. */
  readonly reserved: number;
  /** Before it is known who is there: of one address. */
  readonly perAddress: number;
  /** Who has not said who they are by then is overdue. */
  readonly withinMs: number;
  /** Of one account, once it is known. */
  readonly perAccount: number;
  /** Of all accounts. */
  readonly held: number;
}

export interface Place {
  /** It is known who is there: from now on strangers take nothing from this place. False where the account has all of its places. */
  hold(account: string): boolean;
  /** What was said there is being looked at: it is not overdue for so long. */
  allow(ms: number): void;
  /** The connection is over, or was evicted: once is enough, more do no harm. */
  leave(): void;
}

/** Addresses that are remembered, the one longest unused is forgotten first. */
const KNOWN_MAX = 4096;
/** All are looked through this often within the time that each has, however many come. */
const LOOKS = 100;

interface Entry {
  readonly address: string;
  readonly evict: () => void;
  /** Overdue from then on. */
  until: number;
}

export class Places {
  readonly #limits: PlaceLimits;
  readonly #now: () => number;
  readonly #strangers = new Crowd();
  readonly #reserved = new Crowd();
  readonly #known = new Set<string>();
  readonly #accounts = new Map<string, number>();
  #held = 0;
  #lookAt = 0;

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(limits: PlaceLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Places of whom nobody knows yet who they are. */
  get waiting(): number {
    return this.#strangers.size + this.#reserved.size;
  }

  /** Places of accounts. */
  get held(): number {
    return this.#held;
  }

  heldBy(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  /** Somebody whom we know comes from there. */
  know(address: string): void {
    const key = addressKey(address);
    this.#known.delete(key);
    this.#known.add(key);
    const [oldest] = this.#known;
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** `evict` closes the connection; it may be called before this returns for others, never for the newcomer. */
  enter(address: string, evict: () => void): Place {
    const key = addressKey(address);
    this.endOverdue();
    const isKnown = this.#known.has(key);
    const crowd = isKnown ? this.#reserved : this.#strangers;
    const { perAddress, reserved, strangers } = this.#limits;
    while (crowd.countOf(key) >= perAddress) crowd.evict(key);
    while (crowd.size > 0 && crowd.size >= (isKnown ? reserved : strangers)) crowd.evict(crowd.fullest());
    const entry: Entry = { address: key, evict, until: this.#now() + this.#limits.withinMs };
    crowd.add(entry);
    let account: string | null = null;
    return {
      hold: (name) => {
        if (account !== null || !crowd.remove(entry) || !this.#mayHold(name)) return false;
        account = name;
        this.#count(name, 1);
        this.know(key);
        return true;
      },
      allow: (ms) => {
        entry.until = this.#now() + ms;
      },
      leave: () => {
        crowd.remove(entry);
        if (account !== null) this.#count(account, -1);
        account = null;
      },
    };
  }

  /** Whoever has not said who they are in time goes. Each newcomer does this too: a timer may be late while the machine is busy. */
  endOverdue(): void {
    const now = this.#now();
    if (now < this.#lookAt) return;
    this.#lookAt = now + this.#limits.withinMs / LOOKS;
    this.#strangers.evictOverdue(now);
    this.#reserved.evictOverdue(now);
  }

  #mayHold(account: string): boolean {
    return this.#held < this.#limits.held && this.heldBy(account) < this.#limits.perAccount;
  }

  #count(account: string, step: 1 | -1): void {
    this.#held += step;
    const count = this.heldBy(account) + step;
    if (count === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, count);
  }
}

/** Connections in the order in which they came, of each address and of all. */
class Crowd {
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
  fullest(): string {
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
