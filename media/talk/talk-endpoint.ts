// The /media/talk endpoint: takes upgraded sockets and keeps count of them.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { WebSocketServer } from 'ws';
import { refuseUpgrade } from '../live/refuse-upgrade.ts';
import { TalkConnection, type TalkConnectionOptions } from './talk-connection.ts';

export interface TalkEndpointOptions extends Omit<TalkConnectionOptions, 'webSocket'> {
  /** Whether a page of this origin may open the socket. */
  readonly allowsOrigin: (request: IncomingMessage) => boolean;
}

export interface TalkEndpoint {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** A second of sound. */
const MESSAGE_MAX_BYTES = 8000;
const CONNECTIONS_MAX = 200;

export function createTalkEndpoint(options: TalkEndpointOptions): TalkEndpoint {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_MAX_BYTES });
  const connections = new Set<TalkConnection>();
  return {
    handleUpgrade: (request, socket, head) => {
      if (!options.allowsOrigin(request)) refuseUpgrade(socket, '403 Forbidden');
      else if (connections.size >= CONNECTIONS_MAX) refuseUpgrade(socket, '503 Service Unavailable');
      else {
        server.handleUpgrade(request, socket, head, (webSocket) => {
          const connection = new TalkConnection({ ...options, webSocket });
          connections.add(connection);
          webSocket.on('close', () => connections.delete(connection));
        });
      }
    },
    close: () => {
      for (const connection of connections) connection.end({ code: ERROR_CODES.serviceBusy });
    },
  };
}
