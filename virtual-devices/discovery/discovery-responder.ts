// Answers Probes for the virtual devices, and says Hello and Bye for them (ONVIF Core 7.3).

import { createHash, randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import {
  type AnnouncedDevice,
  answersTo,
  readDiscovery,
  writeBye,
  writeHello,
  writeProbeMatches,
} from '@vedette/protocols/ws-discovery/messages.ts';

/** A device as far as discovery speaks for it. */
export interface DiscoverableDevice {
  readonly serial: string;
  readonly scopes: readonly string[];
  /** Address of its device service. */
  readonly target: string;
  /** Silent while its power is cut. */
  readonly isRunning: boolean;
}

export interface DiscoveryResponderOptions {
  /** The multicast group, or an address of this machine that is asked in its stead; port 0: any free one. */
  readonly place: DiscoveryPlace;
  readonly devices: readonly DiscoverableDevice[];
  readonly report: (error: unknown) => void;
}

/** Answers are spread over so long that they do not all come at once (WS-Discovery 3.1.3 allows 500 ms). */
const spreadMs = 400;

export class DiscoveryResponder {
  private readonly options: DiscoveryResponderOptions;
  private readonly socket: Socket;
  private readonly timers = new Set<NodeJS.Timeout>();
  private hasStopped = false;

  constructor(options: DiscoveryResponderOptions) {
    this.options = options;
    this.socket = createSocket({ type: 'udp4', reuseAddr: true });
    this.socket.on('error', options.report);
    this.socket.on('message', (datagram, from) => this.receive(datagram, from));
  }

  /** Answers the port that is asked. */
  async start(): Promise<number> {
    const { place } = this.options;
    const isGroup = isMulticast(place.address);
    await new Promise<void>((resolve, reject) => {
      this.socket.once('error', reject);
      this.socket.bind({ port: place.port, ...(isGroup ? {} : { address: place.address }) }, () => {
        this.socket.off('error', reject);
        resolve();
      });
    });
    if (isGroup) {
      for (const address of ownAddresses()) this.socket.addMembership(place.address, address);
      void this.announce(writeHello);
    }
    return this.socket.address().port;
  }

  async stop(): Promise<void> {
    if (this.hasStopped) return;
    this.hasStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (isMulticast(this.options.place.address)) await this.announce(writeBye);
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private receive(datagram: Buffer, from: RemoteInfo): void {
    const message = readDiscovery(datagram);
    if (message?.kind !== 'probe' || message.messageId === '' || !answersTo(message.types)) return;
    const running = this.options.devices.filter(({ isRunning }) => isRunning);
    for (const [index, device] of running.entries()) {
      const delay = Math.floor((index / running.length) * spreadMs);
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        const answer = { messageId: newMessageId(), relatesTo: message.messageId, device: announced(device) };
        void this.send(writeProbeMatches(answer), from.address, from.port);
      }, delay);
      this.timers.add(timer);
    }
  }

  private async announce(write: (messageId: string, device: AnnouncedDevice) => string): Promise<void> {
    const { place, devices } = this.options;
    const { address } = place;
    const { port } = this.socket.address();
    await Promise.all(
      devices
        .filter(({ isRunning }) => isRunning)
        .map((device) => this.send(write(newMessageId(), announced(device)), address, port)),
    );
  }

  private send(text: string, address: string, port: number): Promise<void> {
    return new Promise((resolve) => {
      this.socket.send(text, port, address, (error) => {
        if (error !== null) this.options.report(error);
        resolve();
      });
    });
  }
}

function announced({ serial, scopes, target }: DiscoverableDevice): AnnouncedDevice {
  return { endpoint: endpointOf(serial), scopes, xAddrs: [target] };
}

/** The same for ever: made from the serial (RFC 9562, version 8). */
export function endpointOf(serial: string): string {
  const hex = createHash('sha256').update(`vedette-virtual-device ${serial}`).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function newMessageId(): string {
  return `urn:uuid:${randomUUID()}`;
}

function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first < 240;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}
