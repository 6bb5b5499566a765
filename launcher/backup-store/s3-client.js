// One signed request to a bucket: AWS Signature Version 4 with the hash of the payload in it, over a connection of its own; redirects are not followed.

import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { AwsV4Signer } from 'aws4fetch';
import { systemCode } from '../core/launch-error.js';
import { StoreFault, answerFault } from './store-fault.js';

/** Nothing comes or goes for so long: the store has stopped. */
const usualSilenceMs = 20_000;
/** A list of a thousand keys of 1,024 bytes, or the text of an error; objects are no longer than a piece. */
const mostBytes = 64 * 1024 * 1024;

/**
 * @typedef {object} S3Request
 * @property {'GET' | 'PUT' | 'HEAD' | 'DELETE'} method
 * @property {string} [key] without it, the bucket itself
 * @property {Record<string, string>} [query]
 * @property {Record<string, string>} [headers]
 * @property {Buffer} [body]
 * @property {number[]} [allows] statuses beside success that are no fault
 * @property {AbortSignal} [signal]
 *
 * @typedef {{ accessKey: string, secretKey: string }} S3Keys
 * @typedef {{ status: number, headers: http.IncomingHttpHeaders, body: Buffer }} S3Answer
 */

export class S3Client {
  #address;
  #keys;
  #silenceMs;

  /**
   * @param {import('./s3-address.js').S3Address} address
   * @param {S3Keys} keys
   * @param {number} [silenceMs]
   */
  constructor(address, keys, silenceMs = usualSilenceMs) {
    this.#address = address;
    this.#keys = keys;
    this.#silenceMs = silenceMs;
  }

  /**
   * Rejects with StoreFault.
   * @param {S3Request} request
   * @returns {Promise<S3Answer>}
   */
  async ask({ method, key = '', query = {}, headers = {}, body = Buffer.alloc(0), allows = [], signal }) {
    const signed = await new AwsV4Signer({
      method,
      url: this.#url(key, query).href,
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'), ...headers },
      accessKeyId: this.#keys.accessKey,
      secretAccessKey: this.#keys.secretKey,
      service: 's3',
      region: this.#address.region,
    }).sign();
    const sent = { ...Object.fromEntries(signed.headers), 'content-length': String(body.length) };
    const answer = await this.#exchange({ method, url: signed.url, headers: sent, body, signal });
    if ((answer.status >= 200 && answer.status < 300) || allows.includes(answer.status)) return answer;
    throw answerFault(answer.status, answer.body);
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} query
   */
  #url(key, query) {
    const { endpoint, bucket, isPathStyle } = this.#address;
    const url = new URL(endpoint);
    if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = isPathStyle ? `/${bucket}/${key}` : `/${key}`;
    for (const [word, value] of Object.entries(query)) url.searchParams.set(word, value);
    return url;
  }

  /**
   * @param {{ method: string, url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal | undefined }} request
   * @returns {Promise<S3Answer>}
   */
  #exchange({ method, url, headers, body, signal }) {
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: false, timeout: this.#silenceMs, ...(signal && { signal }) };
      const sent = request(url, options, (answer) => void readAnswer(answer).then(resolve, fail));
      /** @param {unknown} error */
      const fail = (error) => reject(error instanceof StoreFault ? error : connectionFault(error, signal));
      sent.on('error', fail);
      sent.on('timeout', () => sent.destroy(new StoreFault('timeout', `silent for ${this.#silenceMs} ms`)));
      sent.end(body);
    });
  }
}

/**
 * @param {http.IncomingMessage} answer
 * @returns {Promise<S3Answer>}
 */
async function readAnswer(answer) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new StoreFault('answer', 'answered more than a piece');
    chunks.push(chunk);
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

/**
 * @param {unknown} error
 * @param {AbortSignal | undefined} signal
 */
function connectionFault(error, signal) {
  const message = error instanceof Error ? error.message : String(error);
  if (signal?.aborted) return new StoreFault('ended', message);
  const isCertificate = /CERT|ERR_TLS_|_VERIFY_|SELF_SIGNED|ISSUER/.test(systemCode(error));
  return new StoreFault(isCertificate ? 'certificate' : 'unreachable', message);
}
