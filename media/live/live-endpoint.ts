// The /media/live endpoint: accepts upgraded sockets, tracks every connection, ends revoked subscriptions.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { clientAddress } from '../endpoint/client-address.ts';
import { ConnectionLimiter, type EndpointLimits } from '../endpoint/connection-limiter.ts';
import type { StreamHub } from '../stream/hub.ts';
import { LiveConnection } from './live-connection.ts';
import type { AuthoriseLive, LiveGrant } from './live-grant.ts';
import type { LiveCounters } from './live-subscription.ts';

export interface LiveEndpointOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseLive;
  /** Origin of a page that is not ours, null otherwise: its tickets must name it. Absent: pages are not told apart. */
  readonly foreignOrigin?: (request: IncomingMessage) => string | null;
  /** Called for unexpected exceptions; the caller logs them. */
  readonly onFailure: (error: unknown) => void;
  readonly places?: EndpointLimits;
}

export interface LiveEndpoint {
  /** `address`: of the client, where the request does not tell it. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address?: string): void;
  /** Ends matching subscriptions with a code for the tile; returns how many. */
  endWhere(test: (grant: LiveGrant) => boolean, code: number, reason?: string): number;
  readonly counters: Readonly<LiveCounters>;
  connections(): number;
  subscriptions(): number;
  /** Closes every connection; pages dial again. */
  disconnectAll(): void;
  close(): void;
}

/** Largest text message of a page. */
const MAX_MESSAGE_BYTES = 4096;
/** Each page has one connection. After a restart of the site many pages behind one address reconnect at once. */
const PLACES: EndpointLimits = {
  unauthenticated: 512,
  reserved: 512,
  perAddress: 128,
  perAccount: 200,
  authenticated: 2000,
};
const GOING_AWAY = 1001;

export function createLiveEndpoint(options: LiveEndpointOptions): LiveEndpoint {
  const { hub, clock, authorise, onFailure, foreignOrigin = () => null } = options;
  const limiter = new ConnectionLimiter(options.places ?? PLACES, clock);
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  const connections = new Set<LiveConnection>();
  const counters: LiveCounters = {
    subscriptions: 0,
    refused: 0,
    fragments: 0,
    bytes: 0,
    skippedFragments: 0,
    skips: 0,
    badMessages: 0,
  };
  const disconnectAll = (): void => {
    for (const connection of connections) connection.close(GOING_AWAY);
  };
  return {
    counters,
    disconnectAll,
    handleUpgrade: (request, socket, head, address = clientAddress(request)) => {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const place = limiter.enter(address, () => webSocket.terminate());
        const shared = { hub, clock, authorise, counters, onFailure };
        const page = foreignOrigin(request);
        const connection = new LiveConnection({ webSocket, socket, place, foreignOrigin: page, ...shared });
        connections.add(connection);
        webSocket.on('close', () => {
          connections.delete(connection);
          place.release();
        });
      });
    },
    endWhere: (test, code, reason) => {
      let ended = 0;
      for (const connection of connections) ended += connection.endWhere(test, code, reason);
      return ended;
    },
    connections: () => connections.size,
    subscriptions: () => [...connections].reduce((sum, connection) => sum + connection.subscriptions, 0),
    close: () => {
      limiter.close();
      disconnectAll();
    },
  };
}
