// How the packets of one track travel: interleaved with the requests, or over a pair of UDP ports (RFC 2326 10.12, 12.39).
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type DatagramPair, openDatagramPair, plainAddress } from './datagram-pair.ts';
import type { TransportField } from './header-fields.ts';
import type { MediaChannel } from './media-channel.ts';
import { ReorderBuffer } from '../rtp/reorder-buffer.ts';
import { writeEmptyReport } from '../rtp/rtcp.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../rtp/packet.ts';
import { RtspError } from './rtsp-error.ts';

export type TransportKind = 'tcp' | 'udp';

export interface TrackTransport {
  readonly kind: TransportKind;
  /** What SETUP asks for. */
  readonly offer: string;
  /** Takes what the device grants; throws RtspError when it is something else. */
  accept(answer: TransportField): void;
  /** Sends a packet to where the device listens, so that firewalls on the way let its packets in. */
  punch(): void;
  /** Sends one RTP packet to the device. */
  sendMedia(packet: Buffer): void;
  /** Sends one compound RTCP packet to the device. */
  sendControl(packet: Buffer): void;
  close(): void;
}

/** The frames of one connection, by channel. What a device granted counts before what another track only asked for. */
export class InterleavedRoutes {
  readonly #media: (MediaChannel | undefined)[] = [];
  readonly #control: (MediaChannel | undefined)[] = [];
  readonly #granted: (MediaChannel | undefined)[] = [];

  /** Some devices send there before, or whatever, they answer. */
  asked(channelNumber: number, channel: MediaChannel): void {
    if (this.#media[channelNumber] === undefined) this.#set(channelNumber, channel);
  }

  /** The first of two tracks that were granted the same one has it. */
  granted(channelNumber: number, channel: MediaChannel): void {
    if (this.#granted[channelNumber] !== undefined) return;
    this.#granted[channelNumber] = channel;
    this.#set(channelNumber, channel);
  }

  frame(channelNumber: number, buffer: Buffer, start: number, end: number): void {
    const media = this.#media[channelNumber];
    if (media) media.media(buffer, start, end);
    else this.#control[channelNumber]?.control(buffer, start, end);
  }

  #set(channelNumber: number, channel: MediaChannel): void {
    this.#media[channelNumber] = channel;
    this.#control[channelNumber + 1] = channel;
  }
}

export class InterleavedTransport implements TrackTransport {
  readonly kind = 'tcp';
  readonly offer: string;
  readonly #routes: InterleavedRoutes;
  readonly #channel: MediaChannel;
  readonly #send: (channelNumber: number, payload: Buffer) => void;
  #number: number;

  constructor(options: {
    readonly index: number;
    readonly routes: InterleavedRoutes;
    readonly channel: MediaChannel;
    readonly send: (channelNumber: number, payload: Buffer) => void;
  }) {
    this.#number = 2 * options.index;
    this.#routes = options.routes;
    this.#channel = options.channel;
    this.#send = options.send;
    this.offer = `RTP/AVP/TCP;unicast;interleaved=${this.#number}-${this.#number + 1}`;
    // Set ahead of the answer: some devices send at once.
    this.#routes.asked(this.#number, this.#channel);
  }

  accept(answer: TransportField): void {
    if (!answer.isInterleaved) throw new RtspError('transport', 'device does not send media over TCP');
    if (answer.channel === null) return;
    this.#number = answer.channel;
    this.#routes.granted(this.#number, this.#channel);
  }

  punch(): void {
    // The connection is the way.
  }

  sendMedia(packet: Buffer): void {
    this.#send(this.#number, packet);
  }

  sendControl(packet: Buffer): void {
    this.#send(this.#number + 1, packet);
  }

  close(): void {
    // Ends with the connection.
  }
}

/** Payload type of packets that only open a way; nothing is ever announced with it. */
const PUNCH_PAYLOAD_TYPE = 127;
/** While packets of one source come, those of another are an injection; after this much silence the device has begun anew. */
const SOURCE_SILENCE_MS = 1000;

export class DatagramTransport implements TrackTransport {
  readonly kind = 'udp';
  readonly offer: string;
  readonly #pair: DatagramPair;
  readonly #peer: string;
  readonly #clock: Clock;
  readonly #channel: MediaChannel;
  readonly #order: ReorderBuffer;
  #serverPort: number | null = null;
  #ssrc: number | null = null;
  #lastMs = 0;
  #cancelRelease: (() => void) | null = null;
  #closed = false;

  private constructor(pair: DatagramPair, options: DatagramOptions) {
    this.#pair = pair;
    this.#peer = plainAddress(options.peer);
    this.#clock = options.clock;
    this.#channel = options.channel;
    this.#order = new ReorderBuffer((packet) => this.#channel.media(packet, 0, packet.length));
    this.offer = `RTP/AVP;unicast;client_port=${pair.port}-${pair.port + 1}`;
    pair.media.on('message', (packet, from) => this.#media(packet, from));
    pair.control.on('message', (packet, from) => this.#control(packet, from));
    // A port that is closed on the other side is told by its media staying away.
    for (const socket of [pair.media, pair.control]) socket.on('error', () => undefined);
  }

  static async open(options: DatagramOptions): Promise<DatagramTransport> {
    try {
      return new DatagramTransport(await openDatagramPair(plainAddress(options.local)), options);
    } catch (error) {
      throw new RtspError('transport', 'no UDP ports are free', { cause: error });
    }
  }

  accept(answer: TransportField): void {
    if (answer.isInterleaved) throw new RtspError('transport', 'device does not send media over UDP');
    this.#serverPort = answer.serverPort;
    this.#ssrc = answer.ssrc;
  }

  punch(): void {
    const packet = Buffer.alloc(RTP_HEADER_BYTES);
    const fields = { payloadType: PUNCH_PAYLOAD_TYPE, marker: false, sequence: 0, timestamp: 0, ssrc: 0 };
    writeRtpHeader(packet, 0, fields);
    this.sendMedia(packet);
    this.sendControl(writeEmptyReport(0));
  }

  sendMedia(packet: Buffer): void {
    this.#send(this.#pair.media, packet, 0);
  }

  sendControl(packet: Buffer): void {
    this.#send(this.#pair.control, packet, 1);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRelease?.();
    this.#pair.close();
  }

  #send(socket: DatagramPair['media'], packet: Buffer, offset: 0 | 1): void {
    if (this.#closed || this.#serverPort === null) return;
    socket.send(packet, this.#serverPort + offset, this.#peer, () => undefined);
  }

  #media(packet: Buffer, from: { address: string; port: number }): void {
    const now = this.#clock.monotonicMs();
    if (!this.#isDevice(from, 0) || !this.#isSource(packet, now)) {
      this.#channel.counters.invalid += 1;
      return;
    }
    this.#order.push(packet, now);
    this.#scheduleRelease();
  }

  #control(packet: Buffer, from: { address: string; port: number }): void {
    if (this.#isDevice(from, 1)) this.#channel.control(packet, 0, packet.length);
    else this.#channel.counters.invalid += 1;
  }

  /** Only the address that signed us in may send; also only from the port it named, where it named one. */
  #isDevice(from: { address: string; port: number }, offset: 0 | 1): boolean {
    if (this.#closed || plainAddress(from.address) !== this.#peer) return false;
    return this.#serverPort === null || from.port === this.#serverPort + offset;
  }

  /** Devices announce one source and send another, so the first that comes counts; a second one only after silence. */
  #isSource(packet: Buffer, now: number): boolean {
    if (packet.length < RTP_HEADER_BYTES) return false;
    const ssrc = packet.readUInt32BE(8);
    const isNew = this.#ssrc !== ssrc;
    if (isNew && this.#lastMs > 0 && now - this.#lastMs < SOURCE_SILENCE_MS) return false;
    this.#ssrc = ssrc;
    this.#lastMs = now;
    return true;
  }

  #scheduleRelease(): void {
    if (this.#cancelRelease || this.#order.heldPackets === 0) return;
    const rest = this.#order.release(this.#clock.monotonicMs());
    if (rest === null) return;
    this.#cancelRelease = this.#clock.after(rest, () => {
      this.#cancelRelease = null;
      this.#scheduleRelease();
    });
  }
}

export interface DatagramOptions {
  /** Our own address on the connection to the device, and the device's. */
  readonly local: string;
  readonly peer: string;
  readonly clock: Clock;
  readonly channel: MediaChannel;
}
