// A browser as a push service sees it: a subscription with keys of its own, which reads what is sent to it (RFC 8291, 8292).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { CapturedRequest } from './message-sink.ts';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;

export class PushBrowser {
  readonly #keys = createECDH(CURVE);
  readonly #auth = randomBytes(16);

  constructor() {
    this.#keys.generateKeys();
  }

  /** Settings of a channel whose messages go to this address. */
  subscription(endpoint: string): Record<'endpoint' | 'p256dh' | 'auth', string> {
    return { endpoint, p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
  }

  /** What one request says to this browser; throws where it was encrypted for another. */
  read({ body }: Pick<CapturedRequest, 'body'>): Record<string, unknown> {
    // RFC 8188: salt, record size, length of the key id, and the key of the sender in its place.
    const salt = body.subarray(0, SALT_BYTES);
    const keyLength = body.readUInt8(SALT_BYTES + 4);
    const from = SALT_BYTES + 5;
    const sender = body.subarray(from, from + keyLength);
    const sealed = body.subarray(from + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = hkdf(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    // What ends the last record, and nothing but zeros after it.
    const end = text.lastIndexOf(2);
    return JSON.parse(text.subarray(0, end).toString('utf8')) as Record<string, unknown>;
  }
}

function hkdf(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

/** The claims of a request's VAPID token, whose signature fits the key beside it. */
export function vapidClaims({ headers }: Pick<CapturedRequest, 'headers'>) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as {
    aud: string;
    exp: number;
    sub: string;
  };
  return { ...said, isSigned, publicKey: key };
}
