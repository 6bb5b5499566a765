// The tracks of one RTSP session: sets each up over the first transport that the device grants, and reports on them while they run.
import type { SdpMedia } from '../sdp/sdp.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RtspConnection } from './connection.ts';
import { parseRtpInfo, parseTransport } from './header-fields.ts';
import { MediaChannel, type RtspMediaSink, type TrackCounters } from './media-channel.ts';
import type { RtspResponse } from './message.ts';
import { RtspError } from './rtsp-error.ts';
import {
  DatagramTransport,
  InterleavedRoutes,
  InterleavedTransport,
  type TrackTransport,
  type TransportKind,
} from './track-transport.ts';

export interface RtspTrack {
  readonly media: SdpMedia;
  readonly counters: Readonly<TrackCounters>;
  /** RTP time of the first packet after PLAY, where the device gives a plausible one; known after `play`. */
  readonly startRtpTime: number | null;
}

interface SetUpTrack extends RtspTrack {
  readonly url: string;
  readonly channel: MediaChannel;
  readonly transport: TrackTransport;
  startRtpTime: number | null;
}

export interface TrackSetOptions {
  readonly connection: RtspConnection;
  readonly clock: Clock;
  readonly sink: RtspMediaSink;
  /** To try in this order. */
  readonly transports: readonly TransportKind[];
}

/** Receiver reports prove to the device, and to firewalls on the way, that someone listens. */
const REPORT_EVERY_MS = 5000;

export class TrackSet {
  readonly #options: TrackSetOptions;
  readonly #routes = new InterleavedRoutes();
  readonly #tracks: SetUpTrack[] = [];
  /** What the device granted for the first track; the others follow. */
  #granted: TransportKind | null = null;
  #cancelReport: () => void = () => undefined;

  constructor(options: TrackSetOptions) {
    this.#options = options;
  }

  get tracks(): readonly RtspTrack[] {
    return this.#tracks;
  }

  get transport(): TransportKind {
    return this.#granted ?? 'tcp';
  }

  /** `request` sends SETUP with a Transport header. Throws RtspError. */
  async setUp(
    media: SdpMedia,
    url: string,
    request: (headers: { readonly Transport: string }) => Promise<RtspResponse>,
  ): Promise<void> {
    const index = this.#tracks.length;
    const { clock, sink } = this.#options;
    const channel = new MediaChannel({ track: index, media, sink, now: () => clock.monotonicMs() });
    const kinds = this.#kinds();
    for (const [attempt, kind] of kinds.entries()) {
      const transport = await this.#open(kind, index, channel);
      try {
        const response = await request({ Transport: transport.offer });
        transport.accept(parseTransport(response.headers.get('Transport') ?? transport.offer));
        this.#granted = kind;
        this.#tracks.push({ media, url, channel, counters: channel.counters, transport, startRtpTime: null });
        return;
      } catch (error) {
        transport.close();
        const isRefusal = error instanceof RtspError && error.code === 'transport';
        if (!isRefusal || attempt === kinds.length - 1) throw error;
      }
    }
  }

  frame(channelNumber: number, buffer: Buffer, start: number, end: number): void {
    this.#routes.frame(channelNumber, buffer, start, end);
  }

  /** One RTP packet to the device, on a track it listens on (ONVIF Streaming 5.3). */
  sendMedia(track: number, packet: Buffer): void {
    this.#tracks[track]?.transport.sendMedia(packet);
  }

  /** Asks for a keyframe; devices without RTCP feedback do not mind. */
  requestKeyframe(track: number): void {
    const asked = this.#tracks[track];
    const request = asked?.channel.pictureLoss();
    if (request) asked?.transport.sendControl(request);
  }

  /** Must come ahead of PLAY. */
  punch(): void {
    for (const { transport } of this.#tracks) transport.punch();
  }

  /** Takes what the device answered to PLAY. */
  begin(response: RtspResponse): void {
    for (const entry of parseRtpInfo(response.headers.get('RTP-Info') ?? '')) {
      const track = this.#tracks.find(
        (one) => one.url === entry.url || (entry.url !== '' && one.url.endsWith(entry.url)),
      );
      if (track) track.startRtpTime = entry.rtpTime;
    }
    this.#cancelReport();
    this.#reportLater();
  }

  close(): void {
    this.#cancelReport();
    for (const { transport } of this.#tracks) transport.close();
  }

  #reportLater(): void {
    this.#cancelReport = this.#options.clock.after(REPORT_EVERY_MS, () => {
      for (const { channel, transport } of this.#tracks) {
        const report = channel.receiverReport();
        if (report) transport.sendControl(report);
        else transport.punch();
      }
      this.#reportLater();
    });
  }

  #kinds(): readonly TransportKind[] {
    if (this.#granted !== null) return [this.#granted];
    const { transports, connection } = this.#options;
    return connection.ends === null ? ['tcp'] : transports;
  }

  async #open(kind: TransportKind, index: number, channel: MediaChannel): Promise<TrackTransport> {
    const { connection, clock } = this.#options;
    const { ends } = connection;
    if (kind === 'udp' && ends) return await DatagramTransport.open({ ...ends, clock, channel });
    const send = (channelNumber: number, payload: Buffer): void => connection.sendFrame(channelNumber, payload);
    return new InterleavedTransport({ index, routes: this.#routes, channel, send });
  }
}
