// Asks a network for its ONVIF devices: multicasts Probes from each interface and hands on what answers them.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { deviceTypes, type DiscoveredDevice, readDiscovery, writeProbe } from './messages.ts';

export interface DiscoveryPlace {
  readonly address: string;
  readonly port: number;
}

export interface DiscoveryAnswer {
  readonly device: DiscoveredDevice;
  /** Address that the answer came from. */
  readonly from: string;
  /** Address of our interface that it came to. */
  readonly to: string;
}

export interface DiscoveryClientOptions {
  /** The multicast group, or one host that answers for others. */
  readonly place: DiscoveryPlace;
  /** IPv4 addresses of the interfaces to ask from. */
  readonly interfaces: readonly string[];
  /** A new URI at each call. */
  readonly newMessageId: () => string;
  /** Runs once after `ms`; the answer cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onAnswer: (answer: DiscoveryAnswer) => void;
  /** An interface from which nothing can be sent is left out; the others go on. */
  readonly onFault: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Asked twice, since a datagram may be lost; then answers are awaited. */
const askAgainMs = 1000;
export const discoveryMs = 4000;
/** A flood is not read: a thousand devices give four thousand answers. */
const answersMax = 4000;
/** Datagrams that are looked at, be they answers or not. */
const datagramsMax = 200_000;
/** Room for many cameras that answer at once. */
const receiveBufferBytes = 1 << 20;

/** Resolves when the time for answers is over, or when the signal aborts. */
export async function discover(options: DiscoveryClientOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const round = new Round(options);
  const cancels = [options.after(askAgainMs, () => round.ask()), options.after(discoveryMs, resolve)];
  options.signal.addEventListener('abort', () => resolve(), { once: true });
  if (options.signal.aborted) resolve();
  try {
    await round.open();
    round.ask();
    await promise;
  } finally {
    for (const cancel of cancels) cancel();
    round.close();
  }
}

class Round {
  readonly #options: DiscoveryClientOptions;
  readonly #sockets = new Map<string, Socket>();
  readonly #messageIds: string[] = [];
  #answers = 0;
  #datagrams = 0;

  constructor(options: DiscoveryClientOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    await Promise.all(
      this.#options.interfaces.filter((address) => isIPv4(address)).map((address) => this.#bind(address)),
    );
  }

  ask(): void {
    const { place, newMessageId, onFault } = this.#options;
    for (const type of deviceTypes) {
      const messageId = newMessageId();
      this.#messageIds.push(messageId);
      const probe = Buffer.from(writeProbe({ messageId, type }));
      for (const socket of this.#sockets.values()) {
        socket.send(probe, place.port, place.address, (error) => error && onFault(error));
      }
    }
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #bind(address: string): Promise<void> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
    return new Promise((resolve) => {
      const fail = (error: Error): void => {
        this.#options.onFault(error);
        if (this.#sockets.get(address) !== socket) socket.close();
        resolve();
      };
      socket.once('error', fail);
      socket.bind({ address, port: 0 }, () => {
        socket.off('error', fail);
        socket.on('error', this.#options.onFault);
        socket.on('message', (datagram, from) => this.#receive(datagram, from.address, address));
        try {
          // Stays on the network of the interface (ONVIF Core 7.3.1).
          socket.setMulticastInterface(address);
          socket.setMulticastTTL(1);
          socket.setMulticastLoopback(true);
          this.#sockets.set(address, socket);
          resolve();
        } catch (error) {
          fail(error as Error);
        }
      });
    });
  }

  #receive(datagram: Buffer, from: string, to: string): void {
    this.#datagrams += 1;
    if (this.#datagrams > datagramsMax || this.#answers >= answersMax) return;
    // Parsing is dear and a flood is cheap: what names none of our Probes is not parsed.
    if (!this.#messageIds.some((messageId) => datagram.includes(messageId))) return;
    this.#answers += 1;
    const message = readDiscovery(datagram);
    if (message?.kind !== 'matches' || !this.#messageIds.includes(message.relatesTo)) return;
    for (const device of message.devices) this.#options.onAnswer({ device, from, to });
  }
}
