// The UDP ports of an RTSP server: one pair per address of ours that clients reached, shared by all of them, opened when first wanted.
import { DatagramPacer } from '../datagram-pacer.ts';
import { type DatagramPair, openDatagramPair, plainAddress, type PortRange } from '../datagram-pair.ts';
import type { DatagramFault } from './server-mount.ts';

/** Where one client listens for one track. */
export interface DatagramTarget {
  readonly address: string;
  /** RTP; reports go to the next one. */
  readonly port: number;
}

/** The way to one client's ports. */
export interface DatagramRoute {
  readonly serverPort: number;
  readonly queuedBytes: number;
  /** The buffer may be shared between clients and is never changed. */
  send(packet: Buffer, isControl: boolean): void;
  close(): void;
}

/** What a client sends: sound on a back channel or a packet that opens a firewall, and reports. */
export interface DatagramsHeard {
  readonly media: (packet: Buffer) => void;
  readonly report: (report: Buffer) => void;
}

export class ServerDatagrams {
  readonly #range: PortRange | undefined;
  readonly #faultOf: () => DatagramFault | null;
  readonly #pairs = new Map<string, Promise<DatagramPair>>();
  /** Who is told of what clients send, by their address and port. */
  readonly #listeners = new Map<string, (packet: Buffer) => void>();
  /** Packets that a fault holds back. */
  readonly #heldBack = new Set<NodeJS.Timeout>();

  /** Without a range the system chooses. */
  constructor(range?: PortRange, faultOf: () => DatagramFault | null = () => null) {
    this.#range = range;
    this.#faultOf = faultOf;
  }

  /** Each packet that `heard` gets is valid only during the call. Rejects when no port of the range is free. */
  async open(local: string, target: DatagramTarget, heard: DatagramsHeard): Promise<DatagramRoute> {
    const address = plainAddress(target.address);
    const pair = await this.#pair(plainAddress(local));
    const listeners = [
      [`${address} ${target.port}`, heard.media],
      [`${address} ${target.port + 1}`, heard.report],
    ] as const;
    for (const [key, listener] of listeners) this.#listeners.set(key, listener);
    const pacer = new DatagramPacer((packet, isControl) => {
      const fault = isControl ? null : this.#faultOf();
      if (fault) {
        const write = (): void => pair.media.send(packet, target.port, address, () => undefined);
        for (const delayMs of fault()) this.#later(delayMs, write);
        return;
      }
      // What cannot be sent now is lost, as packets on the way are.
      if (isControl) pair.control.send(packet, target.port + 1, address, () => undefined);
      else pair.media.send(packet, target.port, address, () => undefined);
    });
    return {
      serverPort: pair.port,
      get queuedBytes() {
        return pacer.queuedBytes;
      },
      send: (packet, isControl) => pacer.send(packet, isControl),
      close: () => {
        pacer.close();
        for (const [key, listener] of listeners) if (this.#listeners.get(key) === listener) this.#listeners.delete(key);
      },
    };
  }

  #later(delayMs: number, write: () => void): void {
    const timer = setTimeout(() => {
      this.#heldBack.delete(timer);
      write();
    }, delayMs);
    this.#heldBack.add(timer);
  }

  async close(): Promise<void> {
    for (const timer of this.#heldBack) clearTimeout(timer);
    this.#heldBack.clear();
    const opening = [...this.#pairs.values()];
    this.#pairs.clear();
    for (const result of await Promise.allSettled(opening)) if (result.status === 'fulfilled') result.value.close();
  }

  #pair(local: string): Promise<DatagramPair> {
    const known = this.#pairs.get(local);
    if (known) return known;
    const opening = openDatagramPair(local, this.#range).then((pair) => {
      for (const socket of [pair.media, pair.control]) {
        socket.on('message', (packet, from) => {
          this.#listeners.get(`${plainAddress(from.address)} ${from.port}`)?.(packet);
        });
        // A client's closed port comes back as an error of the socket that all share.
        socket.on('error', () => undefined);
      }
      return pair;
    });
    this.#pairs.set(local, opening);
    opening.catch(() => this.#pairs.delete(local));
    return opening;
  }
}
