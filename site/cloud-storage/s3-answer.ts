// What an S3 service answers: its errors as reasons, and the keys of a list (Amazon S3 API reference, error responses and ListObjectsV2).
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import { parseXml, type XmlElement, XmlError } from '@vedette/protocols/xml/xml.ts';
import { StoreFault } from './object-store.ts';

const BY_CODE: Readonly<Record<string, StoreReason>> = {
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AuthorizationHeaderMalformed: 'otherRegion',
  BadDigest: 'differs',
  IllegalLocationConstraintException: 'otherRegion',
  InvalidAccessKeyId: 'keys',
  NoSuchBucket: 'noBucket',
  NoSuchKey: 'gone',
  PermanentRedirect: 'otherRegion',
  QuotaExceeded: 'denied',
  RequestTimeTooSkewed: 'clock',
  RequestTimeout: 'timeout',
  SignatureDoesNotMatch: 'keys',
  SlowDown: 'busy',
  TemporaryRedirect: 'otherRegion',
  XAmzContentSHA256Mismatch: 'differs',
};

/** Of an answer that is no success. A HEAD has no body: its status alone decides. */
export function answerFault(status: number, body: Buffer): StoreFault {
  const code = codeOf(body);
  const named = code === null ? undefined : BY_CODE[code];
  return new StoreFault(named ?? reasonOf(status), `answered ${status} ${code ?? ''}`.trimEnd());
}

function reasonOf(status: number): StoreReason {
  if (status >= 300 && status < 400) return 'redirected';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'gone';
  return status >= 500 || status === 429 ? 'busy' : 'answer';
}

function codeOf(body: Buffer): string | null {
  const code = documentOf(body)?.child('Code')?.text.trim() ?? '';
  return /^\w{1,64}$/.test(code) ? code : null;
}

/** Throws StoreFault for anything but a list. */
export function listedKeys(body: Buffer): string[] {
  const list = documentOf(body);
  if (list?.name !== 'ListBucketResult') throw new StoreFault('answer', 'answered no list');
  return list.childrenNamed('Contents').flatMap((one) => one.child('Key')?.text ?? []);
}

function documentOf(body: Buffer): XmlElement | null {
  if (body.length === 0) return null;
  try {
    return parseXml(body);
  } catch (error) {
    // Proxies in between answer with pages of their own.
    if (error instanceof XmlError) return null;
    throw error;
  }
}
