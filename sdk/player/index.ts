// What the package `@vedette/player` offers: importing it defines the element.
import { VedettePlayer } from './vedette-player.ts';

export { VedettePlayer };
export type { PlayerError, PlayerState, PlayerStateKind, PtzCommand, TalkState, TokenSource } from './element-types.ts';

declare global {
  interface HTMLElementTagNameMap {
    'vedette-player': VedettePlayer;
  }
}

customElements.define('vedette-player', VedettePlayer);
