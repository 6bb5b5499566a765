// One window of the view: the shell's side of the bridge with its page, and the tiles that the shell plays there.
import type { BridgeOutcome } from '@vedette/bridge/messages/bridge-answer.ts';
import { type Handlers, Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS, type CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DrivenWindow } from '../desktop/command-lines.ts';
import type { ShellPeer } from '../desktop/window/shell-window.ts';
import { NativeTiles, type TilePlayer } from './native-tiles.ts';

export interface GtkWindowOptions {
  /** Page of the server that it is for; null: a page opened it, and says itself. */
  readonly address: string | null;
  readonly send: (json: string) => void;
  readonly player: TilePlayer;
  readonly handlers: Handlers<CsTopics>;
  readonly clock: Clock;
  readonly onFailure: (topic: string, failure: unknown) => void;
}

export class GtkWindow implements DrivenWindow {
  readonly peer: ShellPeer;
  readonly tiles: NativeTiles;
  readonly address: string | null;
  #isNewLaunch = false;
  #take: (value: unknown) => void = () => undefined;

  constructor({ address, send, player, handlers, clock, onFailure }: GtkWindowOptions) {
    this.address = address;
    this.peer = new Peer({
      side: 'shell',
      incoming: CS_TOPICS,
      outgoing: WEB_TOPICS,
      handlers,
      clock,
      newId,
      hasRight: () => true,
      onFailure,
      transport: {
        isOwn: true,
        send,
        onMessage: (take) => {
          this.#take = take;
          return () => {
            this.#take = () => undefined;
          };
        },
      },
    });
    this.tiles = new NativeTiles(this.peer, player, clock);
  }

  async play(tile: number, isNative: boolean): Promise<BridgeOutcome> {
    return isNative ? await this.tiles.play(tile) : await this.tiles.giveBack(tile);
  }

  /** A message of the page, unchecked. */
  receive(json: string): void {
    this.#take(json);
  }

  /** A document of the server begins. */
  onDocument(): void {
    this.#isNewLaunch = true;
    this.tiles.forget();
  }

  /** True once in each launch of the page. */
  beginsLaunch(): boolean {
    const isNew = this.#isNewLaunch;
    this.#isNewLaunch = false;
    return isNew;
  }

  end(): void {
    this.peer.close();
    this.tiles.forget();
  }
}
