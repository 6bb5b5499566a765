// An identity provider of somebody else: oidc-provider on this machine, with one user at a time who signs in as soon as a browser asks or by a button.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const STRANGER_CLIENT = { clientId: 'vedette', clientSecret: 'a-secret-of-the-tests-only' } as const;

export interface StrangerUser {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export class StrangerProvider {
  user: StrangerUser = { sub: 'user-1' };
  /** False: the user has to press a button. */
  isQuick = true;
  readonly #server: Server;
  #provider: Provider | null = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<StrangerProvider> {
    const server = createServer();
    const started = new StrangerProvider(server);
    server.on('request', (request, reply) => void started.#answer(request, reply));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Knows the product from now on, with this redirect address. */
  register(redirectUrl: string): void {
    const scopes = { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] };
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: STRANGER_CLIENT.clientId,
          client_secret: STRANGER_CLIENT.clientSecret,
          redirect_uris: [redirectUrl],
        },
      ],
      claims: scopes,
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...this.user, sub }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const clientId = oidc.client?.clientId ?? '';
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope(Object.keys(scopes).join(' '));
        await grant.save();
        return grant;
      },
      cookies: { keys: ['only of the tests'] },
    });
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (provider === null) {
      reply.writeHead(503).end();
    } else if (!request.url?.startsWith('/interaction/')) {
      await provider.callback()(request, reply);
    } else if (this.isQuick || request.method === 'POST') {
      const result = { login: { accountId: this.user.sub } };
      await provider.interactionFinished(request, reply, result, { mergeWithLastSubmission: false });
    } else {
      reply.setHeader('content-type', 'text/html');
      reply.end(
        '<!doctype html><title>Head office</title><form method="post"><button>Go on as this user</button></form>',
      );
    }
  }
}
