// One window of the desktop: a web view, and beneath it the tiles that the shell plays.
import Gdk from 'gi://Gdk?version=4.0';
import Gtk from 'gi://Gtk?version=4.0';
import { NativeTile } from './native-tile.js';

/** @import { TilePicture, TilePlace } from '../view-lines.ts' */
/** @import WebKit from 'gi://WebKit?version=6.0' */

const SIZE = { default_width: 1280, default_height: 800 };

/**
 * @typedef {object} WindowListener
 * @property {() => void} onBegin a document of the server begins
 * @property {() => void} onClosed
 * @property {(tile: number, picture: TilePicture) => void} onPlaying
 * @property {(tile: number) => void} onLost
 * @property {(tile: number, count: number) => void} onFrames
 * @property {(tile: number) => void} onTurn a person asks that the shell or the page plays the tile
 */

export class ViewWindow {
  view;
  window;
  #pictures = new Gtk.Fixed();
  #listener;
  /** @type {Map<number, NativeTile>} */
  #tiles = new Map();

  /**
   * @param {WebKit.WebView} view
   * @param {WindowListener} listener
   */
  constructor(view, listener) {
    this.view = view;
    this.#listener = listener;
    // Both are overlays: the child of an overlay decides how small the window can be.
    const overlay = new Gtk.Overlay();
    overlay.add_overlay(this.#pictures);
    overlay.add_overlay(view);
    this.window = new Gtk.Window({ ...SIZE, title: 'Vedette', child: overlay });
    view.connect('notify::title', () => this.window.set_title(view.get_title() || 'Vedette'));
    view.connect('close', () => this.window.close());
    this.window.connect('close-request', () => {
      this.stopAll();
      listener.onClosed();
      return false;
    });
    this.#takeKeys();
  }

  begin() {
    this.#listener.onBegin();
  }

  close() {
    this.window.close();
  }

  /**
   * @param {number} tile
   * @param {string} url
   * @param {TilePlace} place
   */
  play(tile, url, place) {
    this.stop(tile);
    const { onPlaying, onLost, onFrames } = this.#listener;
    const native = new NativeTile(this.#pictures, url, {
      onPlaying: (picture) => onPlaying(tile, picture),
      onLost: () => onLost(tile),
      onFrames: (count) => onFrames(tile, count),
    });
    this.#tiles.set(tile, native);
    native.place(place);
  }

  /**
   * @param {number} tile
   * @param {TilePlace} place
   */
  place(tile, place) {
    this.#tiles.get(tile)?.place(place);
  }

  /** @param {number} tile */
  stop(tile) {
    this.#tiles.get(tile)?.end();
    this.#tiles.delete(tile);
  }

  stopAll() {
    for (const tile of this.#tiles.keys()) this.stop(tile);
  }

  /** F11 fills the monitor, Ctrl+Alt with a digit turns a tile over. Before the page has them. */
  #takeKeys() {
    const keys = new Gtk.EventControllerKey({ propagation_phase: Gtk.PropagationPhase.CAPTURE });
    keys.connect('key-pressed', (_keys, key, _code, state) => {
      const wanted = Gdk.ModifierType.CONTROL_MASK | Gdk.ModifierType.ALT_MASK;
      const tile = key - Gdk.KEY_0;
      if (key === Gdk.KEY_F11) this.#turnFullscreen();
      else if ((state & wanted) === wanted && tile >= 1 && tile <= 9) this.#listener.onTurn(tile);
      else return false;
      return true;
    });
    this.window.add_controller(keys);
  }

  #turnFullscreen() {
    if (this.window.is_fullscreen()) this.window.unfullscreen();
    else this.window.fullscreen();
  }
}
