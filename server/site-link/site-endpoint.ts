// Endpoint /site: accepts the local site by the master key, remote sites over TLS by credential or registration code.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SITE_PROTOCOL_VERSION } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE, SITE_CLOSE } from '@vedette/contract/remote-site.ts';
import { readSiteMessage, type SiteHello, type SiteMessage } from '@vedette/contract/site/site-messages.ts';
import type { ConnectionLimits } from '@vedette/rules/admission/connection-slots.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SocketSlot } from '../core/socket-admission.ts';
import type { SiteLine } from '../database/device/site-line.queries.ts';
import type { RemoteSiteAuthenticator } from './remote-site-authenticator.ts';
import type { SiteLink } from './site-link.ts';
import type { SiteConnection } from './site-connection.ts';

const HELLO_WITHIN_MS = 5000;
/** A remote site waits for our answer before it sends more; the local site does not wait. */
const EARLY_MAX = 8;
/** Longest time of a call during a database outage, and a little more. */
const AUTHENTICATE_WITHIN_MS = 12_000;
/** Connections per site: one that restarted may leave old ones; for the rest see `SocketAdmission`. */
export const SITE_SOCKET_LIMITS: ConnectionLimits = {
  unauthenticated: 64,
  reserved: 256,
  perAddress: 16,
  withinMs: HELLO_WITHIN_MS + 500,
  perAccount: 16,
  authenticated: 4096,
};

export interface SiteEndpointOptions {
  readonly masterKey: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly authenticator: RemoteSiteAuthenticator;
  readonly linkOf: (siteId: string) => SiteLink;
  /** Of the site process of this machine. */
  readonly insideSiteId: string;
  /** Ends the line of before, to whichever server. */
  readonly takeLine: (siteId: string) => Promise<SiteLine>;
}

/** How a connection arrived. */
export interface SiteConnectionOrigin {
  /** Directly over the unix socket, not through the gateway. */
  readonly isInside: boolean;
  readonly address: string;
  readonly slot: SocketSlot;
}

export class SiteEndpoint {
  readonly #options: SiteEndpointOptions;

  constructor(options: SiteEndpointOptions) {
    this.#options = options;
  }

  accept(socket: WebSocket, origin: SiteConnectionOrigin): void {
    const { clock, log } = this.#options;
    let peer: SiteConnection | null = null;
    let early: [message: SiteMessage, bytes: number][] | null = null;
    const cancelHello = clock.after(HELLO_WITHIN_MS, () => socket.close(SITE_CLOSE.refused, 'no hello'));
    socket.on('message', (raw: Buffer) => {
      const message = parseMessage(raw);
      if (message === null) {
        socket.close(SITE_CLOSE.notHello, 'bad message');
      } else if (peer !== null) {
        peer.receive(message, raw.length);
      } else if (early !== null) {
        if (early.push([message, raw.length]) > EARLY_MAX && !origin.isInside) socket.terminate();
      } else if (message.type === 'hello') {
        cancelHello();
        origin.slot.extend(AUTHENTICATE_WITHIN_MS);
        const waiting: [SiteMessage, number][] = [];
        early = waiting;
        void this.#authenticate(socket, message, origin).then((admitted) => {
          peer = admitted;
          for (const held of waiting) peer?.receive(...held);
        });
      } else if (message.type === 'foreignHello') {
        socket.close(SITE_CLOSE.otherProtocol, 'another version');
      } else {
        socket.close(SITE_CLOSE.refused, 'refused');
      }
    });
    socket.on('error', (error) => log.warn({ err: error }, 'the connection of a site failed'));
    socket.on('close', cancelHello);
  }

  async #authenticate(
    socket: WebSocket,
    hello: SiteHello,
    origin: SiteConnectionOrigin,
  ): Promise<SiteConnection | null> {
    const { log, authenticator, linkOf, takeLine } = this.#options;
    try {
      const siteId = origin.isInside
        ? this.#localSiteId(hello)
        : await authenticator.authenticate(hello, origin.address);
      if (siteId === null) {
        log.warn({ address: origin.address }, 'a site was refused');
        socket.close(SITE_CLOSE.refused, 'refused');
        return null;
      }
      if (socket.readyState !== socket.OPEN) return null;
      if (!origin.slot.assignTo(siteId)) {
        socket.close(1013, 'too many connections');
        return null;
      }
      const link = linkOf(siteId);
      if (!link.mayConnect()) {
        socket.close(1013, 'too many connections');
        return null;
      }
      const line = await takeLine(siteId);
      if (socket.readyState !== socket.OPEN) return null;
      const { rtspPort = null, canTranscode = false } = hello;
      return link.attach(socket, { rtspPort, canTranscode }, line);
    } catch (error) {
      log.error({ err: error }, 'a site could not be let in');
      socket.close(1011, 'try again');
      return null;
    }
  }

  #localSiteId(hello: SiteHello): string | null {
    const expected = siteSecret(this.#options.masterKey, LOCAL_SITE);
    const given = Buffer.from(hello.secret);
    const isOurs = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
    return isOurs && hello.siteId === LOCAL_SITE ? this.#options.insideSiteId : null;
  }
}

export function siteSecret(masterKey: Buffer, siteId: string): string {
  return createHmac('sha256', masterKey).update(`vedette-site/${SITE_PROTOCOL_VERSION}/${siteId}`).digest('hex');
}

function parseMessage(raw: Buffer): SiteMessage | null {
  try {
    return readSiteMessage(JSON.parse(raw.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
