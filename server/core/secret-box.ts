// Encrypts secrets at rest with the master key: AES-256-GCM, bound to the row they belong to.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomBytes } from '@vedette/foundation/random/random-numbers.ts';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBoxOptions {
  readonly masterKey: Buffer;
  /** Open what could not be sealed anew when the master key was changed; they seal nothing. */
  readonly earlierKeys?: readonly Buffer[];
}

export class SecretBox {
  readonly #options: SecretBoxOptions;

  constructor(options: SecretBoxOptions) {
    this.#options = options;
  }

  /** `rowId` is authenticated data: a value copied to another row does not decrypt. */
  seal(text: string, rowId: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#options.masterKey, nonce).setAAD(Buffer.from(rowId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
  }

  open(box: Buffer, rowId: string): string {
    if (box[0] !== VERSION) throw new Error('this secret was stored by a newer version');
    const { masterKey, earlierKeys = [] } = this.#options;
    for (const key of earlierKeys) {
      const text = openedBy(key, box, rowId);
      if (text !== null) return text;
    }
    return openWith(masterKey, box, rowId);
  }
}

function openedBy(key: Buffer, box: Buffer, rowId: string): string | null {
  try {
    return openWith(key, box, rowId);
  } catch {
    return null; // sealed with another key, which the caller tries next
  }
}

function openWith(key: Buffer, box: Buffer, rowId: string): string {
  const nonce = box.subarray(1, 1 + NONCE_BYTES);
  const tag = box.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(rowId)).setAuthTag(tag);
  const opened = Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return opened.toString('utf8');
}
