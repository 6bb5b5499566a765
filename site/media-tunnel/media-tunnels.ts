// The local site's end of media tunnels: accepts tunnels of remote sites, and relays viewers to the site that their ticket names.
import { createHash } from 'node:crypto';
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import { readStreamUses, siteOfTicket, STREAM_USES_HEADER, type StreamUse } from '@vedette/contract/remote-site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import { Tunnel } from './tunnel.ts';
import type { TunnelStream } from './tunnel-stream.ts';
import { relayedHead, relayedHeaders, relayedResponseHeaders } from './relayed-headers.ts';

export interface MediaTunnelsOptions {
  readonly clock: Clock;
  readonly log: { info(fields: object, message: string): void };
}

const FRAME_MAX_BYTES = 64 * 1024;
/** `/media/<what>/<ticket>`; the ticket of a talk is in the path only between our own processes. */
const TICKET_IN_PATH = /^\/media\/[a-z]+\/([\w-]{16,128})(?:[/?]|$)/;

export class MediaTunnels {
  readonly #options: MediaTunnelsOptions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX_BYTES, perMessageDeflate: false });
  /** By hash of the token. */
  #expected = new Map<string, string>();
  readonly #tunnels = new Map<string, Tunnel>();

  constructor(options: MediaTunnelsOptions) {
    this.#options = options;
  }

  /** Replaces the allowed sites; tunnels of others are closed. */
  expect({ uplinks }: SiteCalls['uplinks']['input']): void {
    const before = new Map([...this.#expected].map(([hash, siteId]) => [siteId, hash]));
    this.#expected = new Map(uplinks.map(({ siteId, tokenHash }) => [tokenHash, siteId]));
    for (const [siteId, tunnel] of this.#tunnels) {
      const isKept = this.#expected.get(before.get(siteId) ?? '') === siteId;
      if (!isKept) tunnel.close();
    }
  }

  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const token = /^Bearer ([\w-]{16,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const siteId = this.#expected.get(createHash('sha256').update(token).digest('hex'));
    if (siteId === undefined || request.headers.origin !== undefined) {
      refuseUpgrade(socket, '401 Unauthorized');
      return;
    }
    const uses = readStreamUses(request.headers[STREAM_USES_HEADER]);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#take(siteId, webSocket, uses));
  };

  /** Null while the tunnel is down, and for what the site does not serve. */
  open(siteId: string, use: StreamUse): TunnelStream | null {
    return this.#tunnels.get(siteId)?.open(use) ?? null;
  }

  /** False: the request is for the local site. */
  readonly relay = (request: IncomingMessage, response: ServerResponse): boolean => {
    const siteId = siteOf(request);
    if (siteId === null) return false;
    const stream = this.open(siteId, 'http');
    if (stream) this.#passThrough(request, response, stream);
    else answerAway(response);
    return true;
  };

  /** False: the request is for the local site. */
  readonly relayUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const siteId = siteOf(request);
    if (siteId === null) return false;
    const stream = this.open(siteId, 'http');
    if (!stream) {
      refuseUpgrade(socket, '502 Bad Gateway');
      return true;
    }
    stream.write(relayedHead(request, (request.url ?? '').replace(/\/(?:on-[0-9a-f]{24}-)?far-[\w-]+/, '')));
    if (head.length > 0) stream.write(head);
    const over = (): undefined => undefined;
    pipeline(stream, socket, over);
    pipeline(socket, stream, over);
    return true;
  };

  close(): void {
    this.#server.close();
    for (const tunnel of this.#tunnels.values()) tunnel.close();
  }

  /** The newest tunnel replaces a leftover one. */
  #take(siteId: string, socket: WebSocket, uses: ReadonlySet<StreamUse>): void {
    const { clock, log } = this.#options;
    const tunnel: Tunnel = new Tunnel({
      socket,
      clock,
      uses,
      onClosed: () => {
        if (this.#tunnels.get(siteId) !== tunnel) return;
        this.#tunnels.delete(siteId);
        log.info({ siteId }, 'the media line of a far site is gone');
      },
    });
    const before = this.#tunnels.get(siteId);
    this.#tunnels.set(siteId, tunnel);
    before?.close();
    log.info({ siteId }, 'a far site has brought its media line');
  }

  #passThrough(request: IncomingMessage, response: ServerResponse, stream: TunnelStream): void {
    const passed = httpRequest({
      createConnection: () => stream,
      method: request.method,
      path: request.url,
      headers: relayedHeaders(request),
      setDefaultHeaders: false,
    });
    passed.on('response', (answer) => {
      const headers = relayedResponseHeaders(answer, request);
      if (headers === null) {
        answerAway(response);
        stream.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, headers);
      // A viewer that leaves is no error.
      pipeline(answer, response, () => undefined);
    });
    passed.on('error', () => answerAway(response));
    response.on('close', () => {
      if (!response.writableFinished) stream.destroy();
    });
    request.pipe(passed);
  }
}

function siteOf(request: IncomingMessage): string | null {
  return siteOfTicket(TICKET_IN_PATH.exec(request.url ?? '')?.[1] ?? '');
}

function answerAway(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(502, { 'content-type': 'application/json', 'cache-control': 'no-store, private' });
  const { devResponseTimeOut: code } = ERROR_CODES;
  response.end(JSON.stringify({ code, message: 'devResponseTimeOut', data: { reason: 'siteAway' } }));
}
