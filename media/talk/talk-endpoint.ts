// The /media/talk endpoint: accepts upgraded sockets and counts them.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { WebSocketServer } from 'ws';
import { clientAddress } from '../endpoint/client-address.ts';
import { ConnectionLimiter, type EndpointLimits } from '../endpoint/connection-limiter.ts';
import { TalkConnection, type TalkConnectionOptions } from './talk-connection.ts';

export interface TalkEndpointOptions extends Omit<TalkConnectionOptions, 'webSocket' | 'place' | 'foreignOrigin'> {
  /** Origin of a page that is not ours, null otherwise: its tickets must name it. */
  readonly foreignOrigin: (request: IncomingMessage) => string | null;
}

export interface TalkEndpoint {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** One second of audio, or an offer of audio alone. */
const MESSAGE_MAX_BYTES = 8000;
const PLACES: EndpointLimits = {
  unauthenticated: 64,
  reserved: 64,
  perAddress: 16,
  perAccount: 32,
  authenticated: 200,
};

export function createTalkEndpoint(options: TalkEndpointOptions): TalkEndpoint {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_MAX_BYTES });
  const connections = new Set<TalkConnection>();
  const limiter = new ConnectionLimiter(PLACES, options.clock);
  return {
    handleUpgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const place = limiter.enter(clientAddress(request), () => webSocket.terminate());
        const foreignOrigin = options.foreignOrigin(request);
        const connection = new TalkConnection({ ...options, webSocket, place, foreignOrigin });
        connections.add(connection);
        webSocket.on('close', () => {
          connections.delete(connection);
          place.release();
        });
      });
    },
    close: () => {
      limiter.close();
      for (const connection of connections) connection.end({ code: ERROR_CODES.serviceBusy });
    },
  };
}
