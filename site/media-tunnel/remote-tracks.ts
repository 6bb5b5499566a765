// What edge intelligence of remote sites follows, at the local site: asked for once for each channel, however many viewers follow it.
import { createInterface } from 'node:readline';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { readTracksLine, TRACKS_LIMITS, type TracksRequest } from '@vedette/contract/site/site-tracks.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MediaTunnels } from './media-tunnels.ts';
import type { TunnelStream } from './tunnel-stream.ts';

export interface RemoteTracksOptions {
  readonly clock: Clock;
  readonly mediaTunnels: Pick<MediaTunnels, 'open'>;
  /** How much later the capture times of a stream are here than at its site; null while unknown. */
  readonly leadMs: (streamKey: string) => number | null;
}

export interface RemoteChannel extends TracksRequest {
  readonly siteId: string;
}

/** The tunnel may come back, or a newer site with it. */
const RETRY_MS = 2000;
/** The first report of a stream comes with its first keyframe. */
const LEAD_RETRY_MS = 200;

export class RemoteTracks {
  readonly #options: RemoteTracksOptions;
  readonly #channels = new Map<string, FollowedChannel>();

  constructor(options: RemoteTracksOptions) {
    this.#options = options;
  }

  /** With the capture times of the stream that the viewer watches. */
  follow(channel: RemoteChannel, streamKey: string, onTracks: (tracks: LiveTracks) => void): () => void {
    const { clock, leadMs } = this.#options;
    const listener = new Listener({ clock, leadMs: () => leadMs(streamKey), onTracks });
    const key = `${channel.siteId}/${channel.deviceSerial}/${channel.channelNo}`;
    const followed = this.#channels.get(key) ?? new FollowedChannel(this.#options, channel);
    this.#channels.set(key, followed);
    const leave = followed.add((tracks) => listener.tell(tracks));
    return () => {
      listener.close();
      if (leave() === 0 && this.#channels.get(key) === followed) this.#channels.delete(key);
    };
  }
}

interface ListenerOptions extends Pick<RemoteTracksOptions, 'clock'> {
  readonly leadMs: () => number | null;
  readonly onTracks: (tracks: LiveTracks) => void;
}

/** Holds the newest tracks back while nobody knows to which frame they belong. */
class Listener {
  readonly #options: ListenerOptions;
  #cancel: () => void = () => undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  tell(tracks: LiveTracks): void {
    this.#cancel();
    const { clock, leadMs, onTracks } = this.#options;
    const lead = leadMs();
    if (lead !== null) onTracks({ ...tracks, at: Math.round(tracks.at + lead) });
    else this.#cancel = clock.after(LEAD_RETRY_MS, () => this.tell(tracks));
  }

  close(): void {
    this.#cancel();
  }
}

class FollowedChannel {
  readonly #options: RemoteTracksOptions;
  readonly #channel: RemoteChannel;
  readonly #listeners = new Set<(tracks: LiveTracks) => void>();
  /** Told to whoever comes later, since nothing may move for hours. */
  #newest: LiveTracks | null = null;
  #stream: TunnelStream | null = null;
  #cancelRetry: () => void = () => undefined;

  constructor(options: RemoteTracksOptions, channel: RemoteChannel) {
    this.#options = options;
    this.#channel = channel;
    this.#ask();
  }

  /** The answer ends it, and says how many are left. */
  add(listener: (tracks: LiveTracks) => void): () => number {
    this.#listeners.add(listener);
    if (this.#newest !== null) listener(this.#newest);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#close();
      return this.#listeners.size;
    };
  }

  #ask(): void {
    const { siteId, deviceSerial, channelNo } = this.#channel;
    const stream = this.#options.mediaTunnels.open(siteId, 'tracks');
    if (stream === null) {
      this.#askLater();
      return;
    }
    this.#stream = stream;
    stream.write(`${JSON.stringify({ deviceSerial, channelNo } satisfies TracksRequest)}\n`);
    let unread = 0;
    stream.on('data', (bytes: Buffer) => {
      unread = bytes.includes('\n') ? bytes.length : unread + bytes.length;
      if (unread > 2 * TRACKS_LIMITS.line) stream.destroy();
    });
    createInterface({ input: stream }).on('line', (line) => {
      const tracks = readTracksLine(line);
      if (tracks === null) stream.destroy();
      else this.#tell(tracks);
    });
    stream.once('close', () => {
      if (this.#stream !== stream) return;
      this.#stream = null;
      this.#newest = null;
      this.#askLater();
    });
  }

  #tell(tracks: LiveTracks): void {
    this.#newest = tracks;
    for (const listener of this.#listeners) listener(tracks);
  }

  #askLater(): void {
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => this.#ask());
  }

  #close(): void {
    this.#cancelRetry();
    const stream = this.#stream;
    this.#stream = null;
    stream?.destroy();
  }
}
