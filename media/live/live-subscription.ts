// One subscription of a page: sends fragments of one stream, starts at a keyframe, and skips when the socket is too slow.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import type { LiveNotice } from '@vedette/contract/media-wire.ts';
import type { LiveFragment, LiveInit } from '../stream/live-fragment.ts';
import type { SharedStream, StreamViewer } from '../stream/shared-stream.ts';
import type { SourceState } from '../stream/stream.ts';
import { deviceReasonOf } from './device-reason.ts';
import type { LiveGrant } from './live-grant.ts';

/** What a subscription uses of its socket. */
export interface LiveOutlet {
  notify(notice: LiveNotice): void;
  init(kind: 'videoInit' | 'audioInit', id: number, wallMs: number, payload: Buffer): void;
  /** Holds the memory for as long as it is read. */
  fragment(id: number, fragment: LiveFragment): void;
  /** Bytes written and not yet sent by the network. */
  queuedBytes(): number;
  /** Combines several writes. */
  together(run: () => void): void;
}

export interface LiveCounters {
  subscriptions: number;
  refused: number;
  fragments: number;
  bytes: number;
  /** Fragments left out because the viewer was too slow, and how often that began. */
  skippedFragments: number;
  skips: number;
  badMessages: number;
}

/** A viewer with more queued bytes is skipped to the next keyframe. */
export const QUEUE_LIMIT_BYTES = 2 * 1024 * 1024;
/** A skipped viewer resumes only below this, so that a slow connection does not alternate. */
export const START_LIMIT_BYTES = 1024 * 1024;
const STALLED_MS = 3000;

export class LiveSubscription implements StreamViewer {
  readonly holdsSlabs = true;
  readonly id: number;
  readonly grant: LiveGrant;
  readonly #outlet: LiveOutlet;
  readonly #counters: LiveCounters;
  readonly #stream: SharedStream;
  #wantsAudio: boolean;
  #init: LiveInit | null = null;
  #sentInit: LiveInit | null = null;
  #sentAudioInit: LiveInit | null = null;
  /** Skipping until the next keyframe. */
  #awaitsKeyframe = true;
  #paused = false;
  #skipped = 0;
  #shown: 'connecting' | 'playing' | 'stalled' | null = null;
  #remove: () => void = () => undefined;
  /** Set while the page wants tracks. */
  #unfollow: (() => void) | null = null;

  constructor(options: {
    readonly id: number;
    readonly grant: LiveGrant;
    readonly outlet: LiveOutlet;
    readonly counters: LiveCounters;
    readonly stream: SharedStream;
    readonly audio: boolean;
  }) {
    this.id = options.id;
    this.grant = options.grant;
    this.#outlet = options.outlet;
    this.#counters = options.counters;
    this.#stream = options.stream;
    this.#wantsAudio = options.audio && options.grant.mayHear !== false;
  }

  /** The cached GOP still waits to be sent. */
  get waitsForStart(): boolean {
    return this.#awaitsKeyframe && !this.#paused && this.#skipped === 0;
  }

  attach(): void {
    this.#remove = this.#stream.addViewer(this);
  }

  detach(): void {
    this.#remove();
    this.follow(false);
  }

  /** Sends the cached GOP when the socket has room for it. */
  start(): void {
    if (!this.waitsForStart || this.#outlet.queuedBytes() > START_LIMIT_BYTES) return;
    const cached = this.#stream.gop();
    if (cached.length === 0 || !this.#init) return;
    this.#awaitsKeyframe = false;
    this.#outlet.together(() => {
      for (const fragment of cached) this.#send(fragment);
    });
  }

  /** Switches audio on, from its next frame; video is not affected. */
  listen(audio: boolean): void {
    this.#wantsAudio = audio && this.grant.mayHear !== false;
  }

  /** Switches tracks on or off. A slow viewer misses some: each message says all that is followed. */
  follow(tracks: boolean): void {
    if (tracks === (this.#unfollow !== null)) return;
    this.#unfollow?.();
    this.#unfollow = null;
    if (!tracks) return;
    const { followTracks = () => () => undefined } = this.grant;
    this.#unfollow = followTracks((now) => {
      if (this.#outlet.queuedBytes() > START_LIMIT_BYTES) return;
      this.#outlet.notify({ type: 'tracks', id: this.id, ...now });
    });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#awaitsKeyframe = true;
    this.#skipped = 0;
    this.start();
  }

  /** Called periodically: informs the tile when frames stop although the device is connected. */
  check(now: number): void {
    const last = this.#stream.lastVideoMs;
    if (this.#shown !== 'playing' || last === null || now - last <= STALLED_MS) return;
    this.#show('stalled', this.#stream.isAwaitingKeyframe ? 'noKeyPicture' : 'timeout');
  }

  init(init: LiveInit): void {
    this.#init = init;
    this.#awaitsKeyframe = true;
    const { video, audio } = init.format;
    this.#outlet.notify({
      type: 'format',
      id: this.id,
      video: video && { codec: video.codec, codecString: video.codecString, width: video.width, height: video.height },
      audio: audio && {
        codec: audio.codec,
        codecString: audio.codecString,
        sampleRate: audio.sampleRate,
        channels: audio.channels,
      },
    });
  }

  fragment(fragment: LiveFragment): void {
    if (this.#paused) return;
    const isStart = fragment.isKey && fragment.unit.track === 'video';
    if (isStart && this.#shown === 'stalled') this.#show('playing');
    const queued = this.#outlet.queuedBytes();
    if (this.#awaitsKeyframe) {
      if (!isStart || queued > START_LIMIT_BYTES) {
        this.#leaveOut();
        return;
      }
      this.#begin();
    } else if (queued > QUEUE_LIMIT_BYTES) {
      this.#awaitsKeyframe = true;
      this.#counters.skips += 1;
      this.#skipped = 1;
      this.#counters.skippedFragments += 1;
      return;
    }
    this.#send(fragment);
  }

  state(state: SourceState): void {
    if (state.state === 'failed') this.#show('stalled', deviceReasonOf(state.reason));
    else if (state.state !== 'closed') this.#show(state.state);
  }

  #begin(): void {
    this.#awaitsKeyframe = false;
    if (this.#skipped === 0) return;
    this.#outlet.notify({ type: 'skipped', id: this.id, frames: this.#skipped });
    this.#skipped = 0;
  }

  /** Counts skipped fragments, but not those before the first frame. */
  #leaveOut(): void {
    if (this.#skipped === 0) return;
    this.#skipped += 1;
    this.#counters.skippedFragments += 1;
  }

  #send(fragment: LiveFragment): void {
    if (fragment.unit.track === 'audio' && !this.#wantsAudio) return;
    if (this.#sentInit !== this.#init) this.#sendVideoInit(fragment.wallMs);
    if (this.#wantsAudio && this.#sentAudioInit !== this.#init) this.#sendAudioInit(fragment.wallMs);
    this.#counters.fragments += 1;
    this.#counters.bytes += fragment.bytes.length;
    this.grant.onSent?.(fragment.bytes.length);
    this.#outlet.fragment(this.id, fragment);
  }

  #sendVideoInit(wallMs: number): void {
    this.#sentInit = this.#init;
    const video = this.#init?.video;
    if (video) this.#outlet.init('videoInit', this.id, wallMs, video);
  }

  #sendAudioInit(wallMs: number): void {
    this.#sentAudioInit = this.#init;
    const audio = this.#init?.audio;
    if (audio) this.#outlet.init('audioInit', this.id, wallMs, audio);
  }

  #show(state: 'connecting' | 'playing' | 'stalled', reason?: DeviceReason): void {
    this.#shown = state;
    this.#outlet.notify({ type: 'state', id: this.id, state, ...(reason !== undefined && { reason }) });
  }
}
