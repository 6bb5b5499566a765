// Backups in a bucket: each file in pieces that fit into memory, sent again until the store tells that it holds them.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bucketPlace } from './s3-address.js';
import { StoreFault } from './store-fault.js';

/** A sealed segment of the write-ahead log (16 MiB and some) is one piece, so that it is there whole or not. */
const usualPieceBytes = 32 * 1024 * 1024;
/** Our own digest: an ETag is the MD5 of an object with some services only. */
const digestHeader = 'x-amz-meta-sha256';
/** The first piece of a file has its name, the others a number behind it. */
const pieceName = /^(.+?)(?:\.\d{5})?$/;
/** The last wait is 16 s; whoever wants a backup comes back within the hour. */
const usualTries = 6;

/**
 * @typedef {object} S3StoreOptions
 * @property {import('./s3-address.js').S3Address} address
 * @property {import('./s3-client.js').S3Client} client
 * @property {number} [pieceBytes]
 * @property {number} [mostTries] of a request
 * @property {number} [firstWaitMs] before a request is sent again; doubled each time
 */

/** @implements {BackupStore} */
export class S3Store {
  #client;
  #prefix;
  #pieceBytes;
  #mostTries;
  #firstWaitMs;

  /** @param {S3StoreOptions} options */
  constructor({ address, client, pieceBytes = usualPieceBytes, mostTries = usualTries, firstWaitMs = 500 }) {
    this.place = bucketPlace(address);
    this.#client = client;
    this.#prefix = address.prefix === '' ? '' : `${address.prefix}/`;
    this.#pieceBytes = pieceBytes;
    this.#mostTries = mostTries;
    this.#firstWaitMs = firstWaitMs;
  }

  /** @param {string} name */
  pathOf(name) {
    return `${this.place}/${name}`;
  }

  async prepare() {
    // A bucket is made by its owner, and has no folders.
  }

  async folders() {
    const names = await this.#list(
      '',
      (text) => [...text.matchAll(/<CommonPrefixes>\s*<Prefix>([^<]+)\/<\/Prefix>/g)].map(lastOf),
      '/',
    );
    return [...new Set(names)].toSorted();
  }

  /** @param {string} folder */
  async files(folder) {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const { key, bytes } of await this.#list(`${folder}/`, objectsIn)) {
      const [, name = ''] = pieceName.exec(key.slice(`${this.#prefix}${folder}/`.length)) ?? [];
      found.set(name, (found.get(name) ?? 0) + bytes);
    }
    return [...found].map(([name, bytes]) => ({ name, bytes }));
  }

  /** @param {string} file */
  async has(file) {
    return (await this.#try(() => this.#head(this.#key(file)))) !== null;
  }

  /**
   * @param {string} file
   * @param {AsyncIterable<Buffer> | Iterable<Buffer>} source
   * @param {AbortSignal} [signal]
   */
  async write(file, source, signal) {
    let number = 0;
    for await (const piece of piecesOf(source, this.#pieceBytes)) {
      await this.#put(this.#key(file, number), piece, signal);
      number += 1;
    }
  }

  /** @param {string} file */
  async *read(file) {
    for (let number = 0, isLast = false; !isLast; number += 1) {
      const key = this.#key(file, number);
      const { status, body } = await this.#try(() => this.#client.ask({ method: 'GET', key, allows: [404] }));
      if (status !== 404) yield body;
      isLast = status === 404 || body.length < this.#pieceBytes;
    }
  }

  /** @param {string} file */
  async removeFile(file) {
    await this.#remove(this.#key(file), (key) => key.replace(/\.\d{5}$/, '') === this.#key(file));
  }

  /** @param {string} folder */
  async removeFolder(folder) {
    await this.#remove(`${this.#prefix}${folder}/`, () => true);
  }

  /**
   * @param {string} start of the keys
   * @param {(key: string) => boolean} isMeant
   */
  async #remove(start, isMeant) {
    for (const { key } of await this.#list(start.slice(this.#prefix.length), objectsIn))
      if (isMeant(key)) await this.#try(() => this.#client.ask({ method: 'DELETE', key, allows: [404] }));
  }

  /**
   * @param {string} key
   * @param {Buffer} piece
   * @param {AbortSignal | undefined} signal
   */
  async #put(key, piece, signal) {
    const sha256 = createHash('sha256').update(piece).digest('hex');
    const headers = { 'content-md5': createHash('md5').update(piece).digest('base64'), [digestHeader]: sha256 };
    const asked = { method: /** @type {const} */ ('PUT'), key, headers, body: piece, ...(signal && { signal }) };
    await this.#try(async () => {
      await this.#client.ask(asked);
      const stored = await this.#head(key, signal);
      if (stored?.bytes !== piece.length || stored.sha256 !== sha256)
        throw new StoreFault('differs', 'does not hold what it acknowledged');
    }, signal);
  }

  /**
   * Null: there is no object of that key.
   * @param {string} key
   * @param {AbortSignal} [signal]
   */
  async #head(key, signal) {
    const { status, headers } = await this.#client.ask({
      method: 'HEAD',
      key,
      allows: [404],
      ...(signal && { signal }),
    });
    if (status === 404) return null;
    return { bytes: Number(headers['content-length'] ?? 0), sha256: headers[digestHeader] };
  }

  /**
   * All pages of a list.
   * @template T
   * @param {string} start of the names
   * @param {(text: string) => T[]} read
   * @param {string} [delimiter]
   */
  async #list(start, read, delimiter) {
    /** @type {T[]} */
    const found = [];
    for (let token = '', isLast = false; !isLast; ) {
      const query = {
        'list-type': '2',
        prefix: `${this.#prefix}${start}`,
        ...(delimiter && { delimiter }),
        ...(token !== '' && { 'continuation-token': token }),
      };
      const { body } = await this.#try(() => this.#client.ask({ method: 'GET', query }));
      const text = body.toString('utf8');
      if (!text.includes('<ListBucketResult')) throw new StoreFault('answer', 'answered no list');
      found.push(...read(text));
      token = unescapeXml(/<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? '');
      isLast = token === '';
    }
    return found;
  }

  /**
   * @param {string} file
   * @param {number} [number]
   */
  #key(file, number = 0) {
    return `${this.#prefix}${file}${number === 0 ? '' : `.${String(number).padStart(5, '0')}`}`;
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @param {AbortSignal} [signal]
   */
  async #try(work, signal) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreFault) || !error.passes || tries === this.#mostTries || signal?.aborted)
          throw error;
      }
      await delay(this.#firstWaitMs * 2 ** (tries - 1), undefined, signal && { signal });
    }
  }
}

/**
 * Of a page of ListObjectsV2; keys of ours need no escape.
 * @param {string} text
 */
function objectsIn(text) {
  return text
    .split('<Contents>')
    .slice(1)
    .flatMap((one) => {
      const key = /<Key>([^<]+)<\/Key>/.exec(one)?.[1];
      return key === undefined ? [] : [{ key, bytes: Number(/<Size>(\d+)<\/Size>/.exec(one)?.[1] ?? 0) }];
    });
}

/** @param {RegExpMatchArray} match of a path */
function lastOf(match) {
  return match[1]?.split('/').at(-1) ?? '';
}

/** @param {string} text */
function unescapeXml(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/**
 * All of the same size but the last, which may be empty: an end is told by a shorter one.
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} source
 * @param {number} size
 */
async function* piecesOf(source, size) {
  let piece = Buffer.allocUnsafe(size);
  let held = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(piece, held, at);
      at += copied;
      held += copied;
      if (held < size) continue;
      yield piece;
      piece = Buffer.allocUnsafe(size);
      held = 0;
    }
  }
  yield piece.subarray(0, held);
}

/** @typedef {import('./backup-store.js').BackupStore} BackupStore */
