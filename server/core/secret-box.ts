// Encrypts secrets at rest with the master key: AES-256-GCM, bound to the row they belong to.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomBytes } from '@vedette/foundation/random/random-numbers.ts';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretBox {
  readonly #key: Buffer;

  constructor(options: { masterKey: Buffer }) {
    this.#key = options.masterKey;
  }

  /** `rowId` is authenticated data: a value copied to another row does not decrypt. */
  seal(text: string, rowId: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(rowId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
  }

  open(box: Buffer, rowId: string): string {
    if (box[0] !== VERSION) throw new Error('this secret was stored by a newer version');
    const nonce = box.subarray(1, 1 + NONCE_BYTES);
    const tag = box.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(rowId)).setAuthTag(tag);
    const opened = Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return opened.toString('utf8');
  }
}
