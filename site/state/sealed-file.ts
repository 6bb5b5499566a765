// A JSON file encrypted with a key derived from the master key (AES-256-GCM).
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { randomBytes } from '@vedette/foundation/random/random-numbers.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

export interface SealedFileOptions {
  readonly disk: Disk;
  readonly path: string;
  readonly masterKey: Buffer;
  /** Separates the keys of different files. */
  readonly purpose: string;
}

export class SealedFile {
  readonly #options: SealedFileOptions;
  readonly #key: Buffer;

  constructor(options: SealedFileOptions) {
    this.#options = options;
    this.#key = Buffer.from(hkdfSync('sha256', options.masterKey, '', `vedette-site/${options.purpose}`, 32));
  }

  /** Null without a file, with another key, or if damaged (`onFault` is called). */
  async read(onFault: (error: unknown) => void): Promise<unknown> {
    let bytes: Buffer;
    try {
      bytes = await this.#options.disk.readWhole(this.#options.path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
    try {
      return this.#open(bytes);
    } catch (error) {
      onFault(error);
      return null;
    }
  }

  async write(value: unknown): Promise<void> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    const bytes = Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
    await this.#options.disk.replaceFile(this.#options.path, bytes);
  }

  #open(bytes: Buffer): unknown {
    const start = 1 + NONCE_BYTES + TAG_BYTES;
    if (bytes.length < start || bytes[0] !== VERSION) throw new Error('not a sealed file of this version');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(1, 1 + NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, start));
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString('utf8'));
  }
}
