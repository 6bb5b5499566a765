// Keys of publishers: where the operator of the machine wrote some into a file of the data folder, packages of others are refused.
import { readFile } from 'node:fs/promises';
import type { ClientVersionRow } from '../../database/schema/client-version-schema.ts';

/** Base64 of the 32 bytes of an Ed25519 key. */
const KEY = /^[A-Za-z0-9+/]{43}=$/u;

export class PublisherKeys {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Every key is taken while there is no file. Throws where the file cannot be read or has a line that is no key: then nobody is trusted. */
  async isTrusted(publicKey: string): Promise<boolean> {
    const text = await this.#read();
    if (text === null) return true;
    const lines = text.split('\n').map((line) => line.trim());
    const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (!keys.every((key) => KEY.test(key))) throw new Error(`${this.#file} has a line that is no key`);
    return keys.includes(publicKey);
  }

  /** Without those whose package a key signed that is not trusted any more. */
  async trusted(rows: readonly ClientVersionRow[]): Promise<ClientVersionRow[]> {
    const isTrusted = await Promise.all(
      rows.map(async (row) => row.sha256 === '' || (await this.isTrusted(row.public_key))),
    );
    return rows.filter((_row, at) => isTrusted[at]);
  }

  async #read(): Promise<string | null> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
