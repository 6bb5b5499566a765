// Which connections of the port wait for their client, which rest between requests, which are answered, and how many each address may have of them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hasBody } from '../forwarding/headers.ts';
import { ConnectionCrowd } from './connection-crowd.ts';

/** A browser opens six; after a restart a whole office behind one address comes back at once. */
const CONNECTION_LIMITS = {
  /** Until a request is there with its body: strangers hold these for seconds. */
  waiting: { perAddress: 256, total: 512 },
  /** Between requests; a browser opens another where its own was closed. */
  idle: { perAddress: 256, total: 1024 },
  /** Streams and downloads too: each has a connection to the process that answers. */
  answered: { perAddress: 4096, total: 8192 },
};

type Kind = keyof typeof CONNECTION_LIMITS;

interface Place {
  readonly move: (kind: Kind | null) => void;
  requests: number;
}

export class ConnectionPlaces {
  readonly #crowds = {
    waiting: new ConnectionCrowd(CONNECTION_LIMITS.waiting),
    idle: new ConnectionCrowd(CONNECTION_LIMITS.idle),
    answered: new ConnectionCrowd(CONNECTION_LIMITS.answered),
  };
  readonly #places = new WeakMap<object, Place>();
  /** A TLS socket does not tell which connection it stands on, but has its ports and addresses. */
  readonly #byName = new Map<string, Place>();

  /**
   * @param key of its address
   * @param isShared by many clients
   */
  opened(socket: Socket, key: string, isShared: boolean): void {
    let isOver = false;
    let leave = (): void => undefined;
    const name = nameOf(socket);
    const close = (): void => void socket.destroy();
    const place: Place = {
      requests: 0,
      move: (kind) => {
        leave();
        leave = kind === null || isOver ? (): void => undefined : this.#crowds[kind].enter(key, isShared, close);
      },
    };
    place.move('waiting');
    this.#places.set(socket, place);
    this.#byName.set(name, place);
    socket.once('close', () => {
      isOver = true;
      place.move(null);
      if (this.#byName.get(name) === place) this.#byName.delete(name);
    });
  }

  secured(socket: TLSSocket): void {
    const place = this.#byName.get(nameOf(socket));
    if (place === undefined) return;
    this.#places.set(socket, place);
    socket.once('close', () => place.move(null));
  }

  asked(request: IncomingMessage, response: ServerResponse): void {
    const place = this.#places.get(request.socket);
    if (place === undefined) return;
    place.requests += 1;
    place.move(hasBody(request) ? 'waiting' : 'answered');
    request.once('end', () => {
      if (!response.writableFinished) place.move('answered');
    });
    response.once('close', () => {
      place.requests -= 1;
      if (place.requests === 0 && !request.socket.destroyed) place.move('idle');
    });
  }

  upgrading(socket: Socket): void {
    this.#places.get(socket)?.move('answered');
  }

  /** It counts elsewhere. */
  left(socket: object): void {
    this.#places.get(socket)?.move(null);
  }
}

function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
