// WHEP: `POST /media/whep/<ticket>` with an offer is answered with 201 and the answer, DELETE ends it (draft-ietf-wish-whep).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { AuthoriseRestream } from '../restream/restream-grant.ts';
import type { StreamHub } from '../stream/hub.ts';
import { RtcRefusal, type RtcWorker } from './rtc-worker.ts';
import { WhepSession } from './whep-session.ts';

export interface WhepEndpointOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseRestream;
  readonly worker: RtcWorker;
  readonly random32: () => number;
  /** Pages of other origins are refused. */
  readonly allowsOrigin: (request: IncomingMessage) => boolean;
  readonly onTried: (isConnected: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface WhepEndpoint {
  /** False: another path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  endWhere(isOver: (streamKey: string) => boolean): void;
  close(): void;
}

const PATH = /^\/media\/whep\/([A-Za-z0-9_-]{16,128})$/;
const OFFER_MAX_BYTES = 64 * 1024;
/** Werift takes about a hundredth of a core per viewer. */
const SESSIONS_MAX = 50;

interface Held {
  readonly session: WhepSession;
  readonly streamKey: string;
}

export function createWhepEndpoint(options: WhepEndpointOptions): WhepEndpoint {
  const { hub, clock, worker, random32, onTried, onFailure } = options;
  /** By ticket. */
  const held = new Map<string, Held>();

  async function offered(ticket: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const offer = await readOffer(request);
    if (offer === null) return answer(response, 400);
    if (held.size >= SESSIONS_MAX) return answer(response, 503);
    const grant = options.authorise(ticket);
    if (!grant.allowed) return answer(response, grant.isKnown ? 403 : 404);
    const session = new WhepSession({
      grant,
      hub,
      clock,
      worker,
      random32,
      onTried,
      onClosed: () => {
        if (held.get(ticket)?.session === session) held.delete(ticket);
      },
    });
    held.set(ticket, { session, streamKey: grant.streamKey });
    try {
      const sdp = await session.answer(offer);
      response.writeHead(201, { ...PRIVATE, 'content-type': 'application/sdp', location: request.url ?? '' });
      response.end(sdp);
    } catch (error) {
      session.close();
      if (!(error instanceof RtcRefusal)) throw error;
      answer(response, 406);
    }
  }

  function ended(ticket: string, response: ServerResponse): void {
    const { session } = held.get(ticket) ?? {};
    session?.close();
    answer(response, session ? 200 : 404);
  }

  return {
    handle(request, response) {
      const ticket = PATH.exec((request.url ?? '').split('?')[0] ?? '')?.[1];
      if (ticket === undefined) return false;
      if (!options.allowsOrigin(request)) answer(response, 403);
      else if (request.method === 'DELETE') ended(ticket, response);
      else if (request.method === 'POST') {
        offered(ticket, request, response).catch((error: unknown) => {
          onFailure(error);
          answer(response, 500);
        });
      } else answer(response, 405);
      return true;
    },
    endWhere(isOver) {
      for (const { session, streamKey } of held.values()) if (isOver(streamKey)) session.close();
    },
    close() {
      for (const { session } of held.values()) session.close();
    },
  };
}

const PRIVATE = { 'cache-control': 'no-store, private' } as const;

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, PRIVATE).end();
}

/** Null for an invalid offer. */
async function readOffer(request: IncomingMessage): Promise<string | null> {
  if (!(request.headers['content-type'] ?? '').startsWith('application/sdp')) return null;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > OFFER_MAX_BYTES) return null;
    pieces.push(piece);
  }
  const offer = Buffer.concat(pieces).toString('utf8');
  return offer.startsWith('v=0') && offer.includes('m=video') ? offer : null;
}
