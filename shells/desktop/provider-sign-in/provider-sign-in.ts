// Signs in at an identity provider in the person's own browser, and takes its answer at a loopback address (RFC 8252, section 7.3): the window of the shell shows no page of others.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IDENTITY_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** What the page takes the sign-in over by. */
export interface ProviderTicket {
  readonly providerId: string;
  readonly ticket: string;
  readonly verifier: string;
}

export interface ProviderSignInOptions {
  /** Of the server. */
  readonly origin: string;
  readonly clock: Clock;
  /** Shows an address in the person's browser. */
  readonly openAddress: (url: string) => void;
  readonly onTicket: (ticket: ProviderTicket) => void;
}

const HOST = '127.0.0.1';
/** The page of ours that leads to the provider, and takes the browser back at the end. */
const PAGE = '/signIn/client/';
const TICKET = /^[A-Za-z0-9_-]{43}$/;

interface Waiting {
  readonly providerId: string;
  readonly verifier: string;
  /** Only the page that was opened knows it: no other page may bring a ticket. */
  readonly place: string;
}

export class ProviderSignIn {
  readonly #options: ProviderSignInOptions;
  #server: Server | null = null;
  #cancel: () => void = () => undefined;

  constructor(options: ProviderSignInOptions) {
    this.#options = options;
  }

  /** In place of one that is under way. Rejects where no port can be had. */
  async begin(providerId: string): Promise<void> {
    this.close();
    const waiting = { providerId, verifier: newWord(), place: newWord() };
    const server = createServer((request, reply) => this.#take(waiting, request, reply));
    this.#server = server;
    server.listen(0, HOST);
    await once(server, 'listening');
    this.#cancel = this.#options.clock.after(IDENTITY_LIMITS.flowMs, () => this.close());
    const url = this.#pageUrl(providerId);
    url.search = new URLSearchParams({
      challenge: createHash('sha256').update(waiting.verifier).digest('base64url'),
      port: String((server.address() as AddressInfo).port),
      place: waiting.place,
    }).toString();
    this.#options.openAddress(url.href);
  }

  close(): void {
    this.#cancel();
    this.#server?.close();
    this.#server?.closeIdleConnections();
    this.#server = null;
  }

  #pageUrl(providerId: string): URL {
    return new URL(`${PAGE}${encodeURIComponent(providerId)}`, this.#options.origin);
  }

  /** One answer, at one path, by the address that was given out: a name that resolves to this machine is another. */
  #take({ providerId, verifier, place }: Waiting, request: IncomingMessage, reply: ServerResponse): void {
    const host = `${HOST}:${request.socket.localPort}`;
    const url = URL.canParse(request.url ?? '', `http://${host}`) ? new URL(request.url ?? '', `http://${host}`) : null;
    const ticket = url?.searchParams.get('ticket') ?? '';
    const isAnswer = request.method === 'GET' && request.headers.host === host && url?.pathname === `/${place}`;
    reply.setHeader('connection', 'close');
    reply.setHeader('cache-control', 'no-store');
    if (!isAnswer || !TICKET.test(ticket)) return void reply.writeHead(404).end();
    const done = this.#pageUrl(providerId);
    done.hash = 'done';
    reply.writeHead(303, { location: done.href, 'referrer-policy': 'no-referrer' }).end();
    this.close();
    this.#options.onTicket({ providerId, ticket, verifier });
  }
}

function newWord(): string {
  return randomBytes(32).toString('base64url');
}
