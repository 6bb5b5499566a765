// The two servers of the kit on loopback: the shell's own, with the relay page, and a hostile one, which counts who comes.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOSTILE_PAGE, type PageOrder, RELAY_PAGE } from './relay-page.ts';

export interface ShellMessage {
  readonly id?: unknown;
  readonly url?: unknown;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly nonce?: unknown;
}

export class KitServer {
  readonly #own: Server;
  readonly #hostile: Server;
  #page: ServerResponse | null = null;
  #loads = 0;
  #transport = '';
  /** Everything that the shell said, in order. */
  readonly heard: ShellMessage[] = [];
  /** Paths that were asked of the hostile server. */
  readonly strayed: string[] = [];

  private constructor() {
    this.#own = createServer((request, response) => void this.#answer(request, response));
    this.#hostile = createServer((request, response) => {
      this.strayed.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(HOSTILE_PAGE);
    });
  }

  static async start(): Promise<KitServer> {
    const kit = new KitServer();
    const servers = [kit.#own, kit.#hostile];
    await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    return kit;
  }

  get url(): string {
    return `${originOf(this.#own)}/client.html`;
  }

  get hostileOrigin(): string {
    return originOf(this.#hostile);
  }

  /** How often the page was loaded and waits for orders. */
  get loads(): number {
    return this.#loads;
  }

  /** `webview2`, `wkwebview` or `cef`; empty where the page found none of them. */
  get transport(): string {
    return this.#transport;
  }

  order(order: PageOrder): void {
    this.#page?.write(`data: ${JSON.stringify(order)}\n\n`);
  }

  stop(): void {
    for (const server of [this.#own, this.#hostile]) {
      server.close();
      server.closeAllConnections();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname === '/orders') return this.#hold(response, searchParams.get('transport') ?? '');
    if (pathname === '/heard') {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      this.heard.push((JSON.parse(Buffer.concat(parts).toString()) as { message: ShellMessage }).message);
      return void response.end();
    }
    if (pathname === '/elsewhere')
      return void response.writeHead(302, { location: searchParams.get('to') ?? '/' }).end();
    response.setHeader('content-type', 'text/html').end(pathname === '/client.html' ? RELAY_PAGE : '');
  }

  /** A page that waits for orders; the newest one gets them. */
  #hold(response: ServerResponse, transport: string): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
    this.#page = response;
    this.#loads += 1;
    this.#transport = transport;
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
