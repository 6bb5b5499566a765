// Objects in a bucket of an S3 service, signed by AWS Signature Version 4 with the hash of the payload in the signature.
import { createHash } from 'node:crypto';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { AwsV4Signer } from 'aws4fetch';
import { isObjectKey } from './object-key.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';
import { answerFault, listedKeys } from './s3-answer.ts';
import type { SendToStore, StoreAnswer, StoreRequest } from './store-request.ts';

/** Our own digest: an ETag is the MD5 of an object with some services only. */
const DIGEST_HEADER = 'x-amz-meta-sha256';
const EMPTY_SHA256 = createHash('sha256').digest('hex');
/** A list of a thousand keys of 1,024 bytes, or the text of an error. */
const TEXT_BYTES = 4 * 1024 * 1024;

export interface S3StoreOptions {
  readonly access: ObjectStoreAccess;
  readonly send: SendToStore;
  readonly wallMs: () => number;
}

export class S3Store implements ObjectStore {
  readonly #options: S3StoreOptions;

  constructor(options: S3StoreOptions) {
    this.#options = options;
  }

  async put(key: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.#ask({
      method: 'PUT',
      url: this.#url(key),
      headers: {
        'content-md5': createHash('md5').update(bytes).digest('base64'),
        'x-amz-content-sha256': sha256,
        [DIGEST_HEADER]: sha256,
      },
      body: bytes,
      signal,
    });
  }

  async get(key: string, { from, length }: { from: number; length: number }, signal: AbortSignal): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const headers = { range: `bytes=${from}-${from + length - 1}` };
    const mostBytes = length + TEXT_BYTES;
    const { status, body } = await this.#ask({ method: 'GET', url: this.#url(key), headers, mostBytes, signal });
    // A service without ranges answers 200 with all of it.
    const part = status === 206 ? body : body.subarray(from, from + length);
    if (part.length > length) throw new StoreFault('answer', 'answered more than the range');
    return part;
  }

  async head(key: string, signal: AbortSignal) {
    const { status, headers } = await this.#ask({ method: 'HEAD', url: this.#url(key), allows: [404], signal });
    if (status === 404) return null;
    const digest = headers[DIGEST_HEADER];
    return { bytes: Number(headers['content-length'] ?? 0), sha256: typeof digest === 'string' ? digest : null };
  }

  async list(prefix: string, after: string, signal: AbortSignal): Promise<readonly string[]> {
    const url = this.#place('');
    url.searchParams.set('list-type', '2');
    url.searchParams.set('prefix', prefix);
    if (after !== '') url.searchParams.set('start-after', after);
    return listedKeys((await this.#ask({ method: 'GET', url, signal })).body);
  }

  async delete(key: string, signal: AbortSignal): Promise<void> {
    await this.#ask({ method: 'DELETE', url: this.#url(key), allows: [404], signal });
  }

  /** Keys come from files on the disk, which others may have changed. */
  #url(key: string): URL {
    if (!isObjectKey(key)) throw new StoreFault('gone', 'a key that leads elsewhere');
    return this.#place(key);
  }

  #place(key: string): URL {
    const { endpoint, bucket, isPathStyle } = this.#options.access;
    const url = new URL(endpoint);
    if (isPathStyle) url.pathname = `/${bucket}/${key}`;
    else {
      url.hostname = `${bucket}.${url.hostname}`;
      url.pathname = `/${key}`;
    }
    return url;
  }

  /** Throws StoreFault for every status but success and those of `allows`. */
  async #ask({
    method,
    url,
    headers = {},
    body = null,
    mostBytes = TEXT_BYTES,
    allows = [],
    signal,
  }: Pick<StoreRequest, 'method' | 'url'> &
    Partial<Pick<StoreRequest, 'headers' | 'body' | 'mostBytes'>> & {
      readonly allows?: readonly number[];
      readonly signal: AbortSignal;
    }): Promise<StoreAnswer> {
    const { access, send, wallMs } = this.#options;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
      accessKeyId: access.accessKey,
      secretAccessKey: access.secretKey,
      service: 's3',
      region: access.region,
      datetime: new Date(wallMs()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign();
    const request = { method, url: signed.url, headers: Object.fromEntries(signed.headers), body, mostBytes };
    const answer = await send(request, signal);
    if ((answer.status >= 200 && answer.status < 300) || allows.includes(answer.status)) return answer;
    throw answerFault(answer.status, answer.body);
  }
}
