// Which connections of the port wait for their client, which rest between requests, which are answered, and how many each address may have of them.

import { ConnectionCrowd } from './connection-crowd.js';
import { hasBody } from './headers.js';

/** A browser opens six; after a restart a whole office behind one address comes back at once. */
export const connectionLimits = {
  /** Until a request is there with its body: strangers hold these for seconds. */
  waiting: { perAddress: 256, total: 512 },
  /** Between requests; a browser opens another where its own was closed. */
  idle: { perAddress: 256, total: 1024 },
  /** Streams and downloads too: each has a connection to the process that answers. */
  answered: { perAddress: 4096, total: 8192 },
};

/** @typedef {keyof typeof connectionLimits} Kind */
/** @typedef {{ move: (kind: Kind | null) => void, requests: number }} Place */

export class ConnectionPlaces {
  #crowds = {
    waiting: new ConnectionCrowd(connectionLimits.waiting),
    idle: new ConnectionCrowd(connectionLimits.idle),
    answered: new ConnectionCrowd(connectionLimits.answered),
  };
  /** @type {WeakMap<object, Place>} */
  #places = new WeakMap();
  /** A TLS socket does not tell which connection it stands on, but has its ports and addresses. @type {Map<string, Place>} */
  #byName = new Map();

  /**
   * @param {import('node:net').Socket} socket
   * @param {string} key of its address
   * @param {boolean} isShared by many clients
   */
  opened(socket, key, isShared) {
    let isOver = false;
    /** @type {() => void} */
    let leave = () => undefined;
    const name = nameOf(socket);
    const close = () => void socket.destroy();
    /** @type {Place} */
    const place = {
      requests: 0,
      move: (kind) => {
        leave();
        leave = kind === null || isOver ? () => undefined : this.#crowds[kind].enter(key, isShared, close);
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

  /** @param {import('node:tls').TLSSocket} socket */
  secured(socket) {
    const place = this.#byName.get(nameOf(socket));
    if (place === undefined) return;
    this.#places.set(socket, place);
    socket.once('close', () => place.move(null));
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  asked(request, response) {
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

  /** @param {import('node:net').Socket} socket */
  upgrading(socket) {
    this.#places.get(socket)?.move('answered');
  }

  /** It counts elsewhere. @param {object} socket */
  left(socket) {
    this.#places.get(socket)?.move(null);
  }
}

/** @param {import('node:net').Socket} socket */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }) {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
