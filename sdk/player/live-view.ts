// Live view of one channel by the tree's live tile; tiles of one server share its socket and what was learned of the browser.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { BrowserAudioOutput } from '@vedette/player/audio/audio-output.ts';
import { playerClock } from '@vedette/player/core/player-clock.ts';
import { watchVisibility } from '@vedette/player/core/visibility.ts';
import { browserDecoderSupport } from '@vedette/player/decode/decoder-support.ts';
import { LiveTile, type LiveTileOptions } from '@vedette/player/live/live-tile.ts';
import type { TicketAnswer, TicketRequest, TileSource } from '@vedette/player/live/tile-source.ts';
import { LiveConnection } from '@vedette/player/transports/live-connection.ts';
import { makeRelayedTransport } from '@vedette/player/transports/make-relayed-transport.ts';
import { TransportPolicy } from '@vedette/player/transports/transport-policy.ts';
import { ofLive } from './player-state.ts';
import { refusalOf } from './server-calls.ts';
import type { View, ViewOptions } from './view.ts';

export type LiveQuality = 0 | 1 | 2;

const OPENING_AT_ONCE = 4;
const support = browserDecoderSupport();
const audioOutput = new BrowserAudioOutput();
/** Nothing is kept over reloads: the storage belongs to the page around. */
const policy = new TransportPolicy({ clock: playerClock, store: null });
const byServer = new Map<string, LiveTileOptions>();

function sharedBy(server: string): LiveTileOptions {
  const known = byServer.get(server);
  if (known !== undefined) return known;
  const connection = new LiveConnection({
    url: `${server.replace(/^http/u, 'ws')}/media/live`,
    clock: playerClock,
    openSocket: (url) => new WebSocket(url),
  });
  const opening = new Semaphore({ places: OPENING_AT_ONCE });
  const made: LiveTileOptions = {
    connection,
    opening,
    clock: playerClock,
    support,
    policy,
    audioOutput,
    makeTransport: makeRelayedTransport,
  };
  byServer.set(server, made);
  return made;
}

export class LiveView implements View {
  readonly #tile: LiveTile;
  readonly #stopWatching: () => void;

  constructor(options: ViewOptions, quality: LiveQuality) {
    const { video, canvas, onState, onTime } = options;
    this.#tile = new LiveTile(sharedBy(options.server));
    this.#tile.attach({ video, canvas });
    this.#tile.onChange(() => {
      const { state } = this.#tile;
      // Single pictures are drawn there too.
      canvas.hidden = state.kind === 'live' && state.transport !== 'jpeg';
      onState(ofLive(state));
    });
    this.#tile.onFrame(({ wallMs }) => wallMs !== null && onTime(wallMs));
    this.#tile.open(channelTickets(options, quality));
    this.#stopWatching = watchVisibility(video, (isVisible) => this.#tile.setVisible(isVisible));
  }

  setSound(isOn: boolean): void {
    this.#tile.setAudio(isOn);
  }

  /** While the camera is steered or talked through. */
  setLowLatency(isWanted: boolean): void {
    this.#tile.setLowLatency(isWanted);
  }

  snapshot(): Promise<Blob | null> {
    return this.#tile.lastFrame();
  }

  retry(): void {
    this.#tile.retry();
  }

  close(): void {
    this.#stopWatching();
    this.#tile.detach();
  }
}

function channelTickets(options: ViewOptions, quality: LiveQuality): TileSource {
  return {
    async getTicket(request) {
      try {
        return await askTicket(options, quality, request);
      } catch (failure) {
        const refusal = refusalOf(failure);
        if (refusal === null) throw failure;
        return { kind: 'refused', ...refusal };
      }
    },
  };
}

async function askTicket(
  { calls, channel, server }: ViewOptions,
  quality: LiveQuality,
  { codecs, isLighter, signal }: TicketRequest,
): Promise<TicketAnswer> {
  const asked = isLighter ? 2 : quality;
  const answer = await calls.call('media/url', { ...channel, quality: asked, codecs: [...codecs] }, signal);
  // A device that was never looked at has no codec yet; its stream will say.
  const isPlayable = answer.codec === '' || codecs.some((codec) => codec === answer.codec);
  if (!isPlayable) return { kind: 'unsupported', codec: answer.codec };
  const { ticket, hlsUrl } = answer;
  // Never by WebRTC, whose offers pages of other origins cannot post.
  return { kind: 'ticket', ticket, quality: answer.quality, hlsUrl: new URL(new URL(hlsUrl).pathname, server).href };
}
