// Rate limits for guest links: password attempts and openings, by link and by address.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Wrong passwords for one link, and wrong words or passwords from one address, within an hour. */
const WRONG_MAX = { link: 20, address: 60 } as const;
/** Openings of one link from one address within an hour: a player asks again whenever its stream breaks. */
const OPENED_MAX = 600;
const KEYS_MAX = 50_000;

export class LinkLimit {
  readonly #clock: Clock;
  readonly #at = new Map<string, number[]>();

  constructor(options: { clock: Clock }) {
    this.#clock = options.clock;
  }

  /** Milliseconds to wait before this try; 0 takes it. A try counts as wrong until `right` is said of it. */
  begin(linkHash: string, address: string): number {
    const keys = keysOf(linkHash, address);
    const wait = Math.max(
      this.#wait(keys.link, WRONG_MAX.link),
      this.#wait(keys.address, WRONG_MAX.address),
      this.#wait(keys.opened, OPENED_MAX),
    );
    if (wait > 0) return wait;
    for (const key of Object.values(keys)) this.#note(key);
    return 0;
  }

  right(linkHash: string, address: string): void {
    const keys = keysOf(linkHash, address);
    this.#at.get(keys.link)?.pop();
    this.#at.get(keys.address)?.pop();
  }

  #wait(key: string, most: number): number {
    const now = this.#clock.wallMs();
    const at = (this.#at.get(key) ?? []).filter((one) => one > now - HOUR_MS);
    if (at.length === 0) this.#at.delete(key);
    else this.#at.set(key, at);
    return at.length < most ? 0 : Math.max(1000, (at[0] ?? now) + HOUR_MS - now);
  }

  #note(key: string): void {
    const held = this.#at.get(key) ?? [];
    held.push(this.#clock.wallMs());
    const oldest = this.#at.keys().next().value;
    if (this.#at.size >= KEYS_MAX && oldest !== undefined) this.#at.delete(oldest);
    this.#at.set(key, held);
  }
}

function keysOf(linkHash: string, address: string) {
  const key = addressKey(address);
  return { link: `link ${linkHash}`, address: `address ${key}`, opened: `opened ${linkHash} ${key}` };
}
