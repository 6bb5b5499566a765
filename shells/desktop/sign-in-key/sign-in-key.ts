// The key by which the shell signs an account in without its password: on P-256, made here, and its private half never leaves this machine.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { KeyStore } from './key-store.ts';
import type { ServerCall } from './server-call.ts';

/** Coordinates on P-256 as in a JWK (RFC 7518), base64url. */
export interface PublicHalf {
  readonly x: string;
  readonly y: string;
}

export interface KeyHolder {
  readonly userId: string;
  readonly loginName: string;
}

interface KeptKey extends KeyHolder {
  /** PKCS #8. */
  readonly pem: string;
}

const REFUSED = 2004;

export class SignInKey {
  readonly #origin: string;
  readonly #store: KeyStore;
  readonly #call: ServerCall;
  /** Not kept before the server took its public half. */
  #made: KeyObject | null = null;

  constructor(options: { readonly origin: string; readonly store: KeyStore; readonly call: ServerCall }) {
    this.#origin = options.origin;
    this.#store = options.store;
    this.#call = options.call;
  }

  get storeKind(): KeyStore['kind'] {
    return this.#store.kind;
  }

  create(): PublicHalf {
    this.#made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    return publicHalf(this.#made);
  }

  /** Keeps the key that was made last; false: none was. */
  async keep({ userId, loginName }: KeyHolder): Promise<boolean> {
    if (this.#made === null) return false;
    const pem = this.#made.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.#made = null;
    await this.#store.write(JSON.stringify({ userId, loginName, pem } satisfies KeptKey));
    return true;
  }

  /** The id of the key that was forgotten; null: none was kept. */
  async forget(): Promise<string | null> {
    const kept = await this.#kept();
    await this.#store.clear();
    return kept === null ? null : keyId(publicHalf(createPrivateKey(kept.pem)));
  }

  /** A ticket for one sign-in; null where no key is kept, the server is away, or it refused the key, which is then forgotten. */
  async ticket(): Promise<{ readonly loginName: string; readonly ticket: string } | null> {
    const kept = await this.#kept();
    if (kept === null) return null;
    const key = createPrivateKey(kept.pem);
    const id = keyId(publicHalf(key));
    const asked = await this.#call('account/key/challenge', { keyId: id });
    const { challenge } = (asked?.data ?? {}) as { challenge?: string };
    if (challenge === undefined) return null;
    const proof = signedProof(key, { nonce: challenge, aud: this.#origin, sub: kept.userId });
    const answer = await this.#call('account/key/ticket', { keyId: id, proof });
    if (answer?.code === REFUSED) await this.#store.clear();
    const { ticket } = (answer?.data ?? {}) as { ticket?: string };
    return ticket === undefined ? null : { loginName: kept.loginName, ticket };
  }

  async #kept(): Promise<KeptKey | null> {
    const text = await this.#store.read();
    return text === null ? null : (JSON.parse(text) as KeptKey);
  }
}

function publicHalf(key: KeyObject): PublicHalf {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { x, y };
}

/** Thumbprint of a JWK (RFC 7638). */
function keyId({ x, y }: PublicHalf): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}

/** A JWT (RFC 7519), signed with ES256. */
function signedProof(key: KeyObject, claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'ES256', typ: 'vedette-sign-in+jwt' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}
