// One-time set-up secret of the first start: only its hash is kept, valid until the first administrator exists (SE-06).
import { createHash, timingSafeEqual } from 'node:crypto';

export class SetupSecret {
  #hash: Buffer | null;

  /** null: an account exists, so no secret is accepted. */
  constructor(secret: string | null) {
    this.#hash = secret === null ? null : sha256(secret);
  }

  isRight(secret: string): boolean {
    return this.#hash !== null && timingSafeEqual(this.#hash, sha256(secret));
  }

  spend(): void {
    this.#hash = null;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
