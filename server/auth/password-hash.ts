// Hashes and verifies passwords with argon2id; limits parallel hashes, since each takes 19 MiB.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { CallError } from '../core/call-error.ts';

/** OWASP's figures: 19 MiB, two passes, one lane. Argon2id is the package's default algorithm. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const RUNNING_MAX = 4;
const WAITING_MAX = 64;

export class PasswordHasher {
  readonly #places = new Semaphore({ places: RUNNING_MAX });
  /** Running and waiting. */
  #count = 0;
  #decoy: Promise<string> | null = null;

  hash(password: string): Promise<string> {
    return this.#bounded(() => hash(password.normalize('NFC'), PARAMETERS));
  }

  /** Without a stored hash it takes as long and returns false, so that timing reveals no accounts. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.#decoyHash());
    const isRight = await this.#bounded(() => verify(against, password.normalize('NFC')));
    return isRight && stored !== null;
  }

  /** Deterministic for one secret and salt: for secrets with many random bits that are looked up by hash. */
  derive(secret: string, salt: Buffer): Promise<Buffer> {
    return this.#bounded(() => hashRaw(secret, { ...PARAMETERS, salt }));
  }

  /** Hash for unknown names, made at start so that the first is not slower. */
  async prepare(): Promise<void> {
    await this.#decoyHash();
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= this.hash('no account has this password');
    return this.#decoy;
  }

  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count >= RUNNING_MAX + WAITING_MAX) throw new CallError('serviceBusy');
    this.#count += 1;
    try {
      return await this.#places.run(work);
    } finally {
      this.#count -= 1;
    }
  }
}
