// A push subscription with keys of its own that decrypts what it receives (RFC 8291, 8292).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { CapturedRequest } from './message-sink.ts';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;

/** Its example of a message, section 5 and appendix A. */
export const RFC_8291 = {
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  sealed:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  text: 'When I grow up, I want to be a watermelon',
} as const;

export class PushBrowser {
  readonly #keys = createECDH(CURVE);
  readonly #auth: Buffer;

  /** Without keys of its own it makes some. */
  constructor(given?: { readonly privateKey: string; readonly auth: string }) {
    this.#auth = given === undefined ? randomBytes(16) : Buffer.from(given.auth, 'base64url');
    if (given === undefined) this.#keys.generateKeys();
    else this.#keys.setPrivateKey(given.privateKey, 'base64url');
  }

  /** Settings of a channel whose messages go to this address. */
  subscription(endpoint: string): Record<'endpoint' | 'p256dh' | 'auth', string> {
    return { endpoint, p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
  }

  /** What one request says to this browser; throws where it was encrypted for another. */
  read(request: Pick<CapturedRequest, 'body'>): Record<string, unknown> {
    return JSON.parse(this.readText(request)) as Record<string, unknown>;
  }

  readText({ body }: Pick<CapturedRequest, 'body'>): string {
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
    return text.subarray(0, end).toString('utf8');
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
