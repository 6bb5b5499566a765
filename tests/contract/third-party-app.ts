// An app of somebody else with a user's browser, over plain HTTP requests and knowing nothing but the standards.
import { createHash, randomBytes } from 'node:crypto';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { CallClient, RawAnswer, ServerUnderTest } from './server-under-test.ts';

export const REDIRECT_URI = 'https://app.example/callback';
/** As the test's requests arrive. */
export const ISSUER = 'http://localhost:8443/oidc';

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly error?: string;
}

export interface RegisteredApp {
  readonly appId: string;
  /** Null: a public app. */
  readonly secret: string | null;
}

export async function registerApp(
  client: CallClient,
  more: Partial<CallInput<'app/save'>> = {},
): Promise<RegisteredApp> {
  const order = { appName: 'Door bell', redirectUriList: [REDIRECT_URI], scopeList: [...ALL_SCOPES], ...more };
  const { app, secret } = await client.ok('app/save', order);
  return { appId: app.appId, secret: app.isPublic ? null : secret };
}

export const ALL_SCOPES = ['openid', 'profile', 'offline_access', 'device.list', 'live', 'ptz'] as const;

type Params = Readonly<Record<string, string | undefined>>;

export class ThirdPartyApp {
  readonly #server: ServerUnderTest;
  readonly #app: RegisteredApp;
  /** Of the user's browser, by name. */
  readonly #cookies = new Map<string, string>();
  /** How the user's browser came in, as the gateway says it. */
  readonly #arrival: Readonly<Record<string, string>>;
  /** Each `Set-Cookie` line that the browser was sent. */
  readonly cookieLines: string[] = [];
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');

  constructor(server: ServerUnderTest, app: RegisteredApp, { overTls = false } = {}) {
    this.#server = server;
    this.#app = app;
    this.#arrival = overTls ? { 'x-forwarded-proto': 'https' } : {};
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url');
  }

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** A request of the user's browser, which follows nothing by itself. */
  async browse(address: string): Promise<RawAnswer> {
    const { pathname, search } = new URL(address, ISSUER);
    const answer = await this.#server.send({
      path: `${pathname}${search}`,
      headers: { cookie: this.cookies, ...this.#arrival },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      this.cookieLines.push(line);
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  authorizeAddress(more: Params = {}): string {
    const params = {
      client_id: this.#app.appId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: ALL_SCOPES.join(' '),
      prompt: 'consent',
      state: this.state,
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      ...more,
    };
    const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return `/oidc/auth?${new URLSearchParams(given as [string, string][])}`;
  }

  /** Sends the browser to the provider; answers the question that waits for the account, or where else it was sent. */
  async ask(more: Params = {}): Promise<{ readonly interactionId: string; readonly answer: RawAnswer }> {
    const answer = await this.browse(this.authorizeAddress(more));
    const { searchParams } = new URL(answer.headers.location ?? '/', ISSUER);
    return { interactionId: searchParams.get('interaction') ?? '', answer };
  }

  /** A call that the console makes in that browser. */
  async consoleCall(path: string, input: unknown, accessToken: string | null) {
    const authorization = accessToken === null ? {} : { authorization: `Bearer ${accessToken}` };
    const { body } = await this.#server.send({
      method: 'POST',
      path: `/api/v1/${path}`,
      headers: { 'content-type': 'application/json', cookie: this.cookies, ...authorization, ...this.#arrival },
      body: JSON.stringify(input),
    });
    return JSON.parse(body) as { code: number; data: Record<string, string> };
  }

  /** The whole way to the code; the account chooses these devices and organisations. */
  async codeFor(
    account: CallClient,
    deviceSerialList: readonly string[],
    more: Params = {},
    organizationIdList: readonly string[] = [],
  ): Promise<URL> {
    const { interactionId } = await this.ask(more);
    const input = { interactionId, deviceSerialList, organizationIdList };
    const { code, data } = await this.consoleCall('oauth/interaction/confirm', input, account.accessToken);
    if (code !== 200) throw new Error(`the consent answered ${code} ${JSON.stringify(data)}`);
    const back = await this.browse(data['redirectUrl'] ?? '');
    return new URL(back.headers.location ?? 'about:blank');
  }

  async post(path: string, params: Params, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    const { appId, secret } = this.#app;
    const given = { ...(secret === null && { client_id: appId }), ...params };
    const filled = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const basic = { authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}` };
    return await this.#server.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(secret !== null && basic), ...headers },
      body: new URLSearchParams(filled as [string, string][]).toString(),
    });
  }

  async token(params: Params): Promise<TokenAnswer> {
    return JSON.parse((await this.post('/oidc/token', params)).body) as TokenAnswer;
  }

  async redeem(code: string | null, more: Params = {}): Promise<TokenAnswer> {
    return await this.token({
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: this.verifier,
      ...more,
    });
  }

  async tokensFor(account: CallClient, deviceSerialList: readonly string[], more: Params = {}): Promise<TokenAnswer> {
    const back = await this.codeFor(account, deviceSerialList, more);
    return await this.redeem(back.searchParams.get('code'));
  }
}
