// Hashes and verifies passwords with argon2id; limits parallel hashes, since each takes 19 MiB.
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { CallError } from '../core/call-error.ts';

/** OWASP's figures: 19 MiB, two passes, one lane. Argon2id is the package's default algorithm. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const RUNNING_MAX = 4;
const WAITING_MAX = 64;

export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #decoy: Promise<string> | null = null;

  hash(password: string): Promise<string> {
    return this.#bounded(() => hash(password.normalize('NFC'), PARAMETERS));
  }

  /** Without a stored hash it works as long as with one, and says no: timing tells nothing about accounts. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.#decoyHash());
    const isRight = await this.#bounded(() => verify(against, password.normalize('NFC')));
    return isRight && stored !== null;
  }

  /** Always the same for one secret and salt: for secrets of many random bits, which one try looks up. */
  derive(secret: string, salt: Buffer): Promise<Buffer> {
    return this.#bounded(() => hashRaw(secret, { ...PARAMETERS, salt }));
  }

  /** Made at start, so that the first unknown name is not slower than the rest. */
  async prepare(): Promise<void> {
    await this.#decoyHash();
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= this.hash('no account has this password');
    return this.#decoy;
  }

  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= RUNNING_MAX) {
      if (this.#waiting.length >= WAITING_MAX) throw new CallError('serviceBusy');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot is handed over as it is, so the count changes only when nobody waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
