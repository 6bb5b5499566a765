// The server's end of /site: lets only our own site in, hands it everything on connect, and is the port for calls to it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  SITE_PROTOCOL_VERSION,
  type SiteCallName,
  type SiteCalls,
  type SiteEvent,
  type SiteToServer,
} from '@vedette/contract/site.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CallError } from '../call-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { SitePort } from './site-port.ts';
import { SitePeer } from './site-peer.ts';

const HELLO_WITHIN_MS = 5000;
/** A site that restarts is back within so long: calls wait for it instead of failing. */
const AWAY_GRACE_MS = 3000;

export interface SiteLinkOptions {
  readonly masterKey: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
  /** All of them are stored, or it throws and they come again. */
  readonly onEvents: (events: readonly SiteEvent[]) => Promise<void>;
  /** Runs on each connection before anything else is sent: the whole assignment, then the check of open tickets. */
  readonly onConnect: (site: SitePort) => Promise<void>;
}

/** What the site said of itself in its first message. */
interface SiteOffers {
  readonly rtspPort: number | null;
  readonly canTranscode: boolean;
}

export class SiteLink implements SitePort {
  readonly #options: SiteLinkOptions;
  readonly #connected: (() => void)[] = [];
  readonly #waiting = new Set<(peer: SitePeer) => void>();
  #peer: SitePeer | null = null;
  #offers: SiteOffers = { rtspPort: null, canTranscode: false };

  constructor(options: SiteLinkOptions) {
    this.#options = options;
  }

  readonly isOnline = (): boolean => this.#peer !== null;

  readonly rtspPort = (): number | null => (this.#peer === null ? null : this.#offers.rtspPort);

  readonly canTranscode = (): boolean => this.#peer !== null && this.#offers.canTranscode;

  readonly call = <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> => {
    if (this.#peer !== null) return this.#peer.call(name, input);
    return this.#arrival().then((peer) => peer.call(name, input));
  };

  /** Calls back each time a site has connected and holds its assignment. */
  whenConnected(callback: () => void): void {
    this.#connected.push(callback);
  }

  /** The peer once it is connected; `serviceBusy` when it stays away. */
  #arrival(): Promise<SitePeer> {
    const { promise, resolve, reject } = Promise.withResolvers<SitePeer>();
    const giveUp = this.#options.clock.after(AWAY_GRACE_MS, () => {
      this.#waiting.delete(arrived);
      reject(new CallError('serviceBusy'));
    });
    const arrived = (peer: SitePeer): void => {
      giveUp();
      resolve(peer);
    };
    this.#waiting.add(arrived);
    return promise;
  }

  accept(socket: WebSocket): void {
    const { clock, log } = this.#options;
    let peer: SitePeer | null = null;
    const cancelHello = clock.after(HELLO_WITHIN_MS, () => socket.close(4401, 'no hello'));
    socket.on('message', (raw: Buffer) => {
      const message = parseMessage(raw);
      if (message === null) {
        socket.close(4400, 'bad message');
      } else if (peer !== null) {
        peer.receive(message);
      } else if (message.type === 'hello' && this.#isOurs(message)) {
        cancelHello();
        const { rtspPort, canTranscode } = message;
        peer = this.#welcome(socket, { rtspPort: portOf(rtspPort), canTranscode: canTranscode === true });
      } else {
        socket.close(4401, 'refused');
      }
    });
    socket.on('error', (error) => log.warn({ err: error }, 'the connection of the site failed'));
    socket.on('close', () => {
      cancelHello();
      this.#drop(peer);
    });
  }

  close(): void {
    this.#peer?.close();
    this.#peer = null;
  }

  /** The newest connection wins: the older one is a leftover of a site that was restarted. */
  #welcome(socket: WebSocket, offers: SiteOffers): SitePeer {
    const { clock, log, onEvents, onConnect } = this.#options;
    const onFault = (error: unknown) => log.error({ err: error }, 'an event of the site was not stored');
    const peer = new SitePeer({ socket, clock, onEvents, onFault });
    this.#peer?.close();
    const direct: SitePort = {
      isOnline: () => true,
      rtspPort: () => offers.rtspPort,
      canTranscode: () => offers.canTranscode,
      call: (name, input) => peer.call(name, input),
    };
    onConnect(direct).then(
      () => {
        if (socket.readyState !== socket.OPEN) return;
        this.#peer = peer;
        this.#offers = offers;
        log.info('the site is connected');
        for (const arrived of this.#waiting) arrived(peer);
        this.#waiting.clear();
        for (const callback of this.#connected) callback();
      },
      (error: unknown) => {
        log.error({ err: error }, 'the site did not take its assignment');
        socket.close(1011, 'not assigned');
      },
    );
    return peer;
  }

  #drop(peer: SitePeer | null): void {
    if (peer === null) return;
    peer.close();
    if (this.#peer !== peer) return;
    this.#peer = null;
    this.#options.log.warn('the site is away');
  }

  #isOurs(hello: Extract<SiteToServer, { type: 'hello' }>): boolean {
    if (hello.protocol !== SITE_PROTOCOL_VERSION) return false;
    const expected = siteSecret(this.#options.masterKey, hello.siteId);
    const given = Buffer.from(String(hello.secret));
    return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
  }
}

export function siteSecret(masterKey: Buffer, siteId: string): string {
  return createHmac('sha256', masterKey).update(`vedette-site/${SITE_PROTOCOL_VERSION}/${siteId}`).digest('hex');
}

function parseMessage(raw: Buffer): SiteToServer | null {
  try {
    const message: unknown = JSON.parse(raw.toString('utf8'));
    return typeof message === 'object' && message !== null && 'type' in message ? (message as SiteToServer) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function portOf(given: unknown): number | null {
  return typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 65_536 ? given : null;
}
