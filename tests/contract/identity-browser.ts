// A browser in sign-ins by identity providers, over plain HTTP: it holds cookies, follows the provider and hands its answer to the product.
import type { CallInput, CallOutput, CallPath, Envelope } from '@vedette/contract/calls/calls.ts';
import type { CallClient, ServerUnderTest } from './server-under-test.ts';

export type ProviderInput = CallInput<'identity/provider/save'>;

/** The usual settings of a provider in tests. */
export const PROVIDER_INPUT = {
  clientId: 'vedette',
  clientSecret: 'a-secret-of-the-tests-only',
  scopes: 'openid email profile',
  isEnabled: true,
  createsAccounts: true,
  linksByEmail: false,
  mappingList: [],
} satisfies Partial<ProviderInput>;

export class IdentityBrowser {
  readonly #server: ServerUnderTest;
  readonly #cookies = new Map<string, string>();
  accessToken: string | null;

  constructor(server: ServerUnderTest, client?: CallClient) {
    this.#server = server;
    this.accessToken = client?.accessToken ?? null;
  }

  get client(): CallClient {
    return this.#server.client(this.accessToken);
  }

  async call<P extends CallPath>(path: P, input: CallInput<P>): Promise<Envelope<CallOutput<P>>> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const authorization = this.accessToken === null ? {} : { authorization: `Bearer ${this.accessToken}` };
    const answer = await this.#server.send({
      method: 'POST',
      path: `/api/v1/${path}`,
      headers: { 'content-type': 'application/json', cookie, ...authorization },
      body: JSON.stringify(input),
    });
    for (const header of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const envelope = JSON.parse(answer.body) as Envelope<CallOutput<P>>;
    for (const body of [input, envelope.data]) this.#server.noteSecrets(body);
    return envelope;
  }

  /** What the provider puts behind the redirect address of the product. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let address = url;
    for (let steps = 0; steps < 10; steps += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
      await answer.body?.cancel();
      for (const header of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${address} answered HTTP ${answer.status} and leads nowhere`);
      const next = new URL(location, address);
      if (next.pathname.startsWith('/signIn/provider/')) return next.search.slice(1);
      address = next.href;
    }
    throw new Error(`${url} leads in circles`);
  }

  async begin(providerId: string): Promise<string> {
    const { code, data } = await this.call('identity/signIn/begin', { providerId });
    if (code !== 200) throw new Error(`identity/signIn/begin answered ${code} ${JSON.stringify(data)}`);
    return data.url;
  }

  async finish(providerId: string, parameters: string) {
    const answer = await this.call('identity/signIn/finish', {
      providerId,
      parameters,
      browserId: 'browser of a user',
    });
    if (answer.code === 200) this.accessToken = answer.data.accessToken;
    return answer;
  }

  async signIn(providerId: string) {
    return await this.finish(providerId, await this.visit(await this.begin(providerId)));
  }
}
