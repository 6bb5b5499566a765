// The two transports to the server: the unix socket of the same machine, and TLS from a remote site.
import { createHmac } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { SITE_PROTOCOL_VERSION } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { WebSocket } from 'ws';
import type { Enrolment } from './enrolment.ts';
import { openServerSocket } from './server-socket.ts';
import type { ServerConnectionLog, ServerTransport } from './server-connection.ts';

/** Short: an attempt at the local socket is cheap, and people wait for the site. */
const LOCAL_RETRY_MAX_MS = 500;
const REMOTE_RETRY_MAX_MS = 15_000;

export function localTransport(options: { serverSocketPath: string; masterKey: Buffer }): ServerTransport {
  const text = `vedette-site/${SITE_PROTOCOL_VERSION}/${LOCAL_SITE}`;
  const secret = createHmac('sha256', options.masterKey).update(text).digest('hex');
  return {
    dial: (maxPayload) =>
      new WebSocket(`ws+unix://${options.serverSocketPath}:/site`, {
        perMessageDeflate: false,
        maxPayload,
        handshakeTimeout: 3000,
      }),
    hello: () => ({ siteId: LOCAL_SITE, secret }),
    retryMaxMs: LOCAL_RETRY_MAX_MS,
    waitsForAnswer: false,
    onAccepted: () => undefined,
    onRefused: () => undefined,
  };
}

export interface RemoteTransportOptions {
  readonly enrolment: Enrolment;
  readonly version: string;
  readonly log: ServerConnectionLog;
  readonly onAccepted: () => void;
}

export function remoteTransport({ enrolment, version, log, onAccepted }: RemoteTransportOptions): ServerTransport {
  return {
    dial: (maxPayload) => openServerSocket(enrolment.enrolled, { path: '/site', maxPayload }),
    hello: () => {
      const { serial, credential, code } = enrolment.enrolled;
      return { siteId: serial, secret: credential, version, addresses: ownAddresses(), ...(code !== null && { code }) };
    },
    retryMaxMs: REMOTE_RETRY_MAX_MS,
    waitsForAnswer: true,
    onAccepted: () => {
      enrolment.accepted();
      onAccepted();
    },
    onRefused: () =>
      log.warn({}, 'the server refused this site: the registration code is wrong or used up, or the site was removed'),
  };
}

/** Addresses at which viewers in the same network might reach us. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter((one) => !one.internal && !/^fe80/i.test(one.address)).map(({ address }) => address);
}
