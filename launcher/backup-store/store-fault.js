// How an object store fails: what it says as one of a few reasons (Amazon S3 API reference, error responses), each with what to do about it.

import { LaunchError } from '../core/launch-error.js';

/**
 * @typedef {'keys' | 'denied' | 'noBucket' | 'region' | 'clock' | 'certificate' | 'answer' | 'gone' | 'ended'
 *   | 'busy' | 'timeout' | 'unreachable' | 'differs'} FaultReason the second line passes by itself, or may
 */

const passing = ['busy', 'timeout', 'unreachable', 'differs'];

/** @type {Record<string, FaultReason>} */
const byCode = {
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AuthorizationHeaderMalformed: 'region',
  BadDigest: 'differs',
  IllegalLocationConstraintException: 'region',
  InvalidAccessKeyId: 'keys',
  NoSuchBucket: 'noBucket',
  NoSuchKey: 'gone',
  PermanentRedirect: 'region',
  QuotaExceeded: 'denied',
  RequestTimeTooSkewed: 'clock',
  RequestTimeout: 'timeout',
  SignatureDoesNotMatch: 'keys',
  SlowDown: 'busy',
  TemporaryRedirect: 'region',
  XAmzContentSHA256Mismatch: 'differs',
};

/** @type {Record<FaultReason, [code: string, hint: string]>} */
const told = {
  keys: ['storeKeysWrong', 'Compare access key and secret key with those of the bucket.'],
  denied: ['storeDenied', 'Its keys must be allowed to read, write, list and delete there.'],
  noBucket: ['storeNoBucket', 'Create the bucket, or mend its name.'],
  region: ['storeRegionWrong', 'Name the region of the bucket with region=, and its own endpoint.'],
  clock: ['storeClock', 'Set the clock of this machine.'],
  certificate: ['storeCertificate', 'NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.'],
  answer: ['storeAnswer', 'Is it an S3 service?'],
  gone: ['storeGone', 'Somebody else removed it.'],
  ended: ['storeEnded', 'It is tried again at the next start.'],
  busy: ['storeBusy', 'Try again later.'],
  timeout: ['storeUnreachable', 'Look at its address and at the network.'],
  unreachable: ['storeUnreachable', 'Look at its address and at the network.'],
  differs: ['storeDiffers', 'It does not hold what it acknowledged: do not trust it with backups.'],
};

export class StoreFault extends LaunchError {
  /**
   * @param {FaultReason} reason
   * @param {string} message what the store said
   */
  constructor(reason, message) {
    const [code, hint] = told[reason];
    super(code, `the object store ${message}.`, { hint });
    this.reason = reason;
    this.passes = passing.includes(reason);
  }
}

/**
 * Of an answer that is no success. A HEAD has no body: its status alone decides.
 * @param {number} status
 * @param {Buffer} body
 */
export function answerFault(status, body) {
  const [, code = ''] = /<Code>(\w{1,64})<\/Code>/.exec(body.toString('utf8', 0, 64_000)) ?? [];
  return new StoreFault(byCode[code] ?? reasonOf(status), `answered ${status} ${code}`.trimEnd());
}

/**
 * @param {number} status
 * @returns {FaultReason}
 */
function reasonOf(status) {
  if (status >= 300 && status < 400) return 'region';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'gone';
  return status >= 500 || status === 429 ? 'busy' : 'answer';
}
