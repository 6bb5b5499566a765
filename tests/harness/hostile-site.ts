// A server whose pages attack the shell that shows them, and another origin that they try to lead it to.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostilePages {
  /** By path: a page of the shell's own server. */
  readonly own: (path: string) => string;
  /** Any page of the other origin. */
  readonly foreign: string;
}

export class HostileSite {
  /** Of the other origin; none where the shell holds its lock. */
  readonly requests: string[] = [];
  readonly #own: Server;
  readonly #foreign: Server;

  private constructor({ own, foreign }: HostilePages) {
    this.#foreign = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      show(response, foreign);
    });
    this.#own = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://own');
      if (pathname === '/elsewhere') response.writeHead(302, { location: searchParams.get('to') ?? '' }).end();
      else show(response, own(pathname));
    });
  }

  static async start(pages: HostilePages): Promise<HostileSite> {
    const site = new HostileSite(pages);
    const servers = [site.#own, site.#foreign];
    await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    return site;
  }

  get origin(): string {
    return originOf(this.#own);
  }

  get foreignOrigin(): string {
    return originOf(this.#foreign);
  }

  stop(): void {
    this.#own.close();
    this.#foreign.close();
  }
}

function show(response: ServerResponse, html: string): void {
  response.setHeader('content-type', 'text/html').end(html);
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
