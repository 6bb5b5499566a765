// The browser of an account that allows an app what it asks for, over plain HTTPS requests to a product.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { ApiClient } from './api-client.ts';
import type { Product } from './product.ts';

export class ConsentingBrowser {
  readonly #authority: string;
  readonly #base: string;
  readonly #account: ApiClient;
  readonly #cookies = new Map<string, string>();

  private constructor(product: Product, account: ApiClient, authority: string) {
    this.#base = product.url.replace(/^http:/, 'https:');
    this.#account = account;
    this.#authority = authority;
  }

  static async of(product: Product, account: ApiClient): Promise<ConsentingBrowser> {
    return new ConsentingBrowser(product, account, await readFile(join(product.data, 'tls', 'ca.pem'), 'utf8'));
  }

  /** Follows the app's address, allows these devices, and answers where the browser is sent back to. */
  async allow(address: string, deviceSerialList: readonly string[]): Promise<URL> {
    const asked = await this.#go(address);
    const interactionId = new URL(asked.headers.location ?? '/', this.#base).searchParams.get('interaction') ?? '';
    const confirmed = await this.#go('/api/v1/oauth/interaction/confirm', {
      interactionId,
      deviceSerialList,
      organizationIdList: [],
    });
    const { code, data } = JSON.parse(confirmed.body) as { code: number; data: { redirectUrl: string } };
    if (code !== 200) throw new Error(`the consent answered ${code}`);
    const back = await this.#go(data.redirectUrl);
    return new URL(back.headers.location ?? 'about:blank');
  }

  async #go(address: string, input?: object): Promise<{ headers: IncomingMessage['headers']; body: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = request(new URL(address, this.#base), {
      ca: this.#authority,
      method: input === undefined ? 'GET' : 'POST',
      headers: {
        cookie,
        ...(input && { 'content-type': 'application/json', authorization: `Bearer ${this.#account.accessToken}` }),
      },
    });
    sent.end(input && JSON.stringify(input));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const body = Buffer.concat(await response.toArray()).toString('utf8');
    return { headers: response.headers, body };
  }
}
