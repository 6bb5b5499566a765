// Limits sign-in attempts per device and password over all its streams, so that a wrong password does not lock the device's account.
import { createHash } from 'node:crypto';
import { newSalt } from '@vedette/foundation/random/secrets.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const WINDOW_MS = 60_000;
/** The device's driver also tries once a minute: together three attempts. */
const REFUSALS_PER_WINDOW = 2;
/** Delay of the second attempt, so that a recorder's streams learn of the first refusal before they try. */
const BETWEEN_REFUSALS_MS = 20_000;
/** Streams that start while another is signed in need not queue. */
const PROVEN_MS = 10_000;
/** Interval of asking again while another stream's attempt is running. */
const UNDECIDED_MS = 50;

export interface SignInAccount {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Result of an attempt; only the first report counts. */
export interface SignInTry {
  accepted(): void;
  refused(): void;
  /** Neither accepted nor refused. */
  undecided(): void;
}

interface Entry {
  refusals: number[];
  provenMs: number;
  undecided: number;
}

/** Shared by all sources of a site. */
export class SignInLimiter {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #salt = newSalt();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Key of an account without its password; another password may be tried at once. */
  keyOf({ host, port, user, password }: SignInAccount): string {
    const print = createHash('sha256').update(this.#salt).update(password).digest('hex').slice(0, 16);
    return `${user}@${host}:${port}#${print}`;
  }

  /** Milliseconds to wait before asking again; 0: sign in now. */
  waitMs(key: string): number {
    const entry = this.#entries.get(key);
    if (!entry) return 0;
    const now = this.#clock.monotonicMs();
    entry.refusals = entry.refusals.filter((at) => at > now - WINDOW_MS);
    const last = entry.refusals.at(-1);
    if (last !== undefined) {
      const isSpent = entry.refusals.length >= REFUSALS_PER_WINDOW;
      const until = isSpent ? (entry.refusals[0] as number) + WINDOW_MS : last + BETWEEN_REFUSALS_MS;
      if (until > now) return until - now;
    }
    return entry.undecided > 0 && now - entry.provenMs > PROVEN_MS ? UNDECIDED_MS : 0;
  }

  /** Whether the last result was a refusal. */
  isRefused(key: string): boolean {
    return (this.#entries.get(key)?.refusals.length ?? 0) > 0;
  }

  /** Call when `waitMs` is 0; report the result to the returned object. */
  begin(key: string): SignInTry {
    const entry = this.#entries.get(key) ?? { refusals: [], provenMs: -Infinity, undecided: 0 };
    this.#entries.set(key, entry);
    entry.undecided += 1;
    let isOpen = true;
    const settle = (tell: () => void): void => {
      if (!isOpen) return;
      isOpen = false;
      entry.undecided -= 1;
      tell();
      if (entry.undecided === 0) this.#forgetLater(key, entry);
    };
    return {
      accepted: () =>
        settle(() => {
          entry.refusals = [];
          entry.provenMs = this.#clock.monotonicMs();
        }),
      refused: () =>
        settle(() => {
          entry.provenMs = -Infinity;
          entry.refusals.push(this.#clock.monotonicMs());
        }),
      undecided: () => settle(() => undefined),
    };
  }

  /** Drops outdated entries. */
  #forgetLater(key: string, entry: Entry): void {
    this.#clock.after(WINDOW_MS + 1, () => {
      if (entry.undecided === 0 && this.waitMs(key) === 0) this.#entries.delete(key);
    });
  }
}
