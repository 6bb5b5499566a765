// The tiles of one window that the shell plays: when they begin and end, and where they stand.
import { BUSY, type BridgeOutcome, NOT_SUPPORTED, succeeded } from '@vedette/bridge/messages/bridge-answer.ts';
import type { CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { TopicAnswer, TopicInput } from '@vedette/bridge/topics/topic.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { SUCCESS } from '@vedette/contract/errors.ts';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { ShellPeer } from '../desktop/window/shell-window.ts';
import type { TilePicture, TilePlace } from './view-lines.ts';

/** A stream that broke is asked for again, more and more seldom. */
const AGAIN = { firstMs: 500, maxMs: 30_000 };

/** How the view plays a tile. */
export interface TilePlayer {
  play(tile: number, url: string, place: TilePlace): void;
  place(tile: number, place: TilePlace): void;
  stop(tile: number): void;
}

interface PlayedTile {
  readonly channel: { readonly deviceSerial: string; readonly channelNo: number };
  readonly again: Backoff;
  /** The page does not show it now; its wall comes back as it was. */
  readonly isAway: boolean;
}

type TileList = TopicInput<CsTopics, 'window/current'>['tileList'];

export class NativeTiles {
  readonly #peer: ShellPeer;
  readonly #player: TilePlayer;
  readonly #clock: Clock;
  readonly #played = new Map<number, PlayedTile>();

  constructor(peer: ShellPeer, player: TilePlayer, clock: Clock) {
    this.#peer = peer;
    this.#player = player;
    this.#clock = clock;
  }

  /** What the page answered, without the address, which has a ticket. */
  async play(tile: number): Promise<BridgeOutcome> {
    const outcome = await this.#peer.ask('live/switchRtsp', { window: tile });
    if (outcome.code !== SUCCESS) return outcome;
    const { rtspUrl, deviceSerial, channelNo, rect, dpr } = outcome.data as TopicAnswer<WebTopics, 'live/switchRtsp'>;
    const again = this.#played.get(tile)?.again ?? new Backoff(AGAIN, Math.random);
    this.#played.set(tile, { channel: { deviceSerial, channelNo }, again, isAway: false });
    this.#player.play(tile, rtspUrl, { rect, dpr });
    return succeeded({});
  }

  /** The page plays the tile again; it tells the places without it. */
  async giveBack(tile: number): Promise<BridgeOutcome> {
    const played = this.#played.get(tile);
    if (played === undefined) return NOT_SUPPORTED;
    this.#played.delete(tile);
    this.#player.stop(tile);
    return await this.#peer.ask('live/start', { ...played.channel, window: tile });
  }

  async turn(tile: number): Promise<BridgeOutcome> {
    return this.#played.has(tile) ? await this.giveBack(tile) : await this.play(tile);
  }

  /** Tiles that the page does not name are out of sight, or show something else. */
  placeAll(tileList: TileList): void {
    const places = new Map(tileList.map(({ window, rect, dpr }) => [window, { rect, dpr }]));
    for (const [tile, played] of this.#played) {
      const place = places.get(tile);
      if (place === undefined) this.#leave(tile, played);
      else if (played.isAway) this.#comeBack(tile, played);
      else this.#player.place(tile, place);
    }
  }

  /** The page draws boxes of objects over the picture. */
  onPlaying({ tile, width, height, delayMs }: TilePicture & { readonly tile: number }): void {
    const played = this.#played.get(tile);
    if (played === undefined) return;
    played.again.reset();
    void this.#peer.ask('live/picture', { window: tile, width, height, delayMs });
  }

  /** A ticket opens one session: the page is asked for a new one. Where it gives none, the tile is the page's again. */
  onLost(tile: number): void {
    const lost = this.#played.get(tile);
    if (lost === undefined || lost.isAway) return;
    this.#player.stop(tile);
    this.#clock.after(lost.again.next(), () => void this.#playAgain(tile, lost));
  }

  /** A new page knows nothing of them. */
  forget(): void {
    this.#played.clear();
  }

  async #playAgain(tile: number, lost: PlayedTile): Promise<void> {
    if (this.#played.get(tile) !== lost) return;
    const { code } = await this.play(tile);
    if (code === BUSY.code) this.onLost(tile);
    else if (code !== SUCCESS) await this.giveBack(tile);
  }

  #leave(tile: number, played: PlayedTile): void {
    if (played.isAway) return;
    this.#played.set(tile, { ...played, isAway: true });
    this.#player.stop(tile);
  }

  #comeBack(tile: number, played: PlayedTile): void {
    const back = { ...played, isAway: false };
    this.#played.set(tile, back);
    void this.#playAgain(tile, back);
  }
}
