// Limits sign-in attempts per device and password over all its streams, so that a wrong password never locks the device's account.
import { createHash } from 'node:crypto';
import { newSalt } from '@vedette/foundation/random/secrets.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const WINDOW_MS = 60_000;
/** The device's driver asks by itself once a minute: together three tries. */
const REFUSALS_PER_WINDOW = 2;
/** The second try waits, so that a whole recorder's streams hear of the first refusal before they try. */
const BETWEEN_REFUSALS_MS = 20_000;
/** Streams that start together with a good one need not queue behind each other. */
const PROVEN_MS = 10_000;
/** How soon to ask again while another stream's sign-in is undecided. */
const UNDECIDED_MS = 50;

export interface SignInAccount {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** What became of a try; only the first word of each try counts. */
export interface SignInTry {
  accepted(): void;
  refused(): void;
  /** The device gave no verdict. */
  undecided(): void;
}

interface Entry {
  refusals: number[];
  provenMs: number;
  undecided: number;
}

/** One gate is shared by every source of a site. */
export class SignInLimiter {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #salt = newSalt();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names an account without telling its password; another password is another account, and may be tried at once. */
  keyOf({ host, port, user, password }: SignInAccount): string {
    const print = createHash('sha256').update(this.#salt).update(password).digest('hex').slice(0, 16);
    return `${user}@${host}:${port}#${print}`;
  }

  /** Milliseconds to wait before asking again; 0 when a sign-in may be tried now. */
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

  /** Whether the last verdict was a refusal. */
  isRefused(key: string): boolean {
    return (this.#entries.get(key)?.refusals.length ?? 0) > 0;
  }

  /** Call when `waitMs` is 0, and tell the answer what came of it. */
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

  /** Passwords come and go; what says nothing any more is not kept. */
  #forgetLater(key: string, entry: Entry): void {
    this.#clock.after(WINDOW_MS + 1, () => {
      if (entry.undecided === 0 && this.waitMs(key) === 0) this.#entries.delete(key);
    });
  }
}
