// An identity provider that answers wrongly on purpose, in one way at a time; its keys are good.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';

export const HOSTILE_CLIENT = { clientId: 'vedette', clientSecret: 'a-secret-of-the-tests-only' } as const;

/** Changes to a good token, by claim; `undefined` leaves the claim out. */
type ClaimChange = Readonly<Record<string, unknown>>;
export type Signing = 'own' | 'foreign' | 'none' | 'clientSecret' | 'otherKeyId';
export type Answering = 'whole' | 'cut' | 'huge' | 'redirect' | 'silent' | 'notJson';

const GOOD_FOR_S = 300;
const HUGE_BYTES = 4 * 1024 * 1024;

export class HostileProvider {
  claims: ClaimChange = {};
  description: ClaimChange = {};
  signing: Signing = 'own';
  answering: Answering = 'whole';
  /** Which of its answers is given so. */
  answeringAt = '/token';
  nonce = '';
  /** Seconds that its clock is ahead of ours. */
  aheadS = 0;
  /** Bodies that its token endpoint was sent. */
  readonly handedOver: string[] = [];
  readonly #server: Server;
  #key: { readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: JWK } | null = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer();
    const started = new HostileProvider(server);
    server.on('request', (request, reply) => void started.#answer(request, reply));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await started.rotate('first');
    return started;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Good again. */
  reform(): void {
    Object.assign(this, {
      claims: {},
      description: {},
      signing: 'own',
      answering: 'whole',
      answeringAt: '/token',
      aheadS: 0,
    });
  }

  /** Another key in place of the one before. */
  async rotate(kid: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    this.#key = { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const path = request.url ?? '';
    if (path === '/token') this.handedOver.push(Buffer.concat(parts).toString());
    const text = JSON.stringify(await this.#bodyOf(path));
    if (this.answering === 'whole' || path !== this.answeringAt) {
      reply.setHeader('content-type', 'application/json').end(text);
    } else {
      answerBadly(reply, this.answering, text);
    }
  }

  async #bodyOf(path: string): Promise<object> {
    const { issuer } = this;
    if (path === '/jwks') return { keys: this.#key === null ? [] : [this.#key.jwk] };
    if (path === '/token') return { access_token: 'x', token_type: 'Bearer', id_token: await this.#token() };
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      ...this.description,
    };
  }

  async #token(): Promise<string> {
    const now = Math.floor(Date.now() / 1000) + this.aheadS;
    const claims = {
      iss: this.issuer,
      sub: 'mallory',
      aud: HOSTILE_CLIENT.clientId,
      iat: now,
      exp: now + GOOD_FOR_S,
      nonce: this.nonce,
      ...this.claims,
    };
    if (this.signing === 'none') return new UnsecuredJWT(claims).encode();
    if (this.signing === 'clientSecret') {
      const secret = new TextEncoder().encode(HOSTILE_CLIENT.clientSecret.padEnd(32, '.'));
      return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    }
    const foreign = (await generateKeyPair('ES256')).privateKey;
    const kid = this.signing === 'otherKeyId' ? 'unknown' : (this.#key?.kid ?? '');
    const key = this.signing === 'own' ? (this.#key?.privateKey ?? foreign) : foreign;
    return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
  }
}

function answerBadly(reply: ServerResponse, answering: Answering, text: string): void {
  if (answering === 'redirect') {
    reply.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  } else if (answering === 'huge') {
    reply.setHeader('content-type', 'application/json');
    reply.end(`{"padding":"${'x'.repeat(HUGE_BYTES)}"}`);
  } else if (answering === 'cut') {
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    reply.write(text.slice(0, text.length / 2), () => reply.destroy());
  } else if (answering === 'notJson') {
    reply.setHeader('content-type', 'text/html').end('<p>Welcome</p>');
  }
}
