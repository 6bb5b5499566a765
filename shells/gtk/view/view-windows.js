// All windows of the view, by number: does what the shell orders, and tells it what happens.
import { say } from './json-lines.js';
import { fillMonitor, readMonitors, watchMonitors } from './monitors.js';
import { isOwnDocument } from './navigation-lock.js';
import { askWhere } from './save-file.js';
import { ViewWindow } from './view-window.js';
import { deliver, newContent, newWebView, openSession, giveNumber } from './web-view.js';

/** @import { ViewOrder } from '../view-lines.ts' */
/** @import { WorldMessage } from './page-scripts.js' */
/** @import Gio from 'gi://Gio?version=2.0' */
/** @import WebKit from 'gi://WebKit?version=6.0' */

/** How pages name the windows of further walls. */
const WALL_NAME = /^vedette-wall-(\d)$/;
const FIRST_WALL = 2;

export class ViewWindows {
  #origin;
  #walls;
  #session;
  #content;
  #last = -1;
  /** @type {Map<number, ViewWindow>} */
  #windows = new Map();
  /** Windows that have shown a document of the server. @type {Set<number>} */
  #shown = new Set();
  /** Walls that have got their monitor. @type {Set<number>} */
  #placed = new Set();
  /** Windows that a page opened. @type {Set<number>} */
  #popUps = new Set();
  /** What is asked about, by window. @type {Map<number, { address: string, certificate: Gio.TlsCertificate }>} */
  #untrusted = new Map();

  /** @param {Extract<ViewOrder, { do: 'begin' }>} order */
  constructor({ origin, profile, walls }) {
    this.#origin = origin;
    this.#walls = walls;
    this.#session = openSession(profile);
    this.#content = newContent(origin, (message) => this.#hear(message));
    this.#session.connect('download-started', (_session, download) => askWhere(download, this.#focused()));
    const tellMonitors = () => say({ event: 'monitors', monitors: readMonitors() });
    watchMonitors(tellMonitors);
    tellMonitors();
  }

  /** @param {Exclude<ViewOrder, { do: 'begin' | 'end' }>} order */
  take(order) {
    if (order.do === 'open') return this.#open(order.html, order.monitor);
    const found = this.#windows.get(order.window);
    if (found !== undefined) this.#takeFor(found, order);
  }

  end() {
    for (const { window } of this.#windows.values()) window.close();
  }

  /**
   * @param {ViewWindow} found
   * @param {Exclude<ViewOrder, { do: 'begin' | 'end' | 'open' }>} order
   */
  #takeFor(found, order) {
    switch (order.do) {
      case 'showHtml':
        return found.view.load_html(order.html, null);
      case 'show':
        return found.view.load_uri(order.address);
      case 'message':
        return deliver(found.view, order.json);
      case 'trust':
        return this.#trust(order.window, found);
      case 'raise':
        return found.window.present();
      case 'play':
        return found.play(order.tile, order.url, order.place);
      case 'place':
        return found.place(order.tile, order.place);
      case 'stop':
        return found.stop(order.tile);
    }
  }

  /**
   * @param {string} html
   * @param {string | null} monitor
   */
  #open(html, monitor) {
    const { window, found } = this.#make(null);
    say({ event: 'window', window, isPopup: false, monitor: this.#place(found, monitor) });
    found.window.present();
    found.view.load_html(html, null);
  }

  /** @param {WebKit.WebView | null} opener */
  #make(opener) {
    this.#last += 1;
    const window = this.#last;
    const { view, onBegin } = newWebView(
      { origin: this.#origin, session: this.#session, content: this.#content, opener },
      {
        onDocument: () => {
          this.#shown.add(window);
          found.stopAll();
          say({ event: 'document', window });
        },
        onRefused: (address) => this.#onRefused(window, 'document', address),
        onPermission: (what, isGranted) => say({ event: 'permission', window, what, isGranted }),
        onCrashed: () => say({ event: 'crashed', window }),
        onFailed: (address) => say({ event: 'failed', window, address }),
        onUntrusted: (address, certificate) => {
          this.#untrusted.set(window, { address, certificate });
          say({ event: 'untrusted', window, address, certificate: certificate.certificate_pem });
        },
      },
    );
    const found = new ViewWindow(view, {
      onBegin,
      onClosed: () => this.#onClosed(window),
      onPlaying: (tile, picture) => say({ event: 'playing', window, tile, ...picture }),
      onLost: (tile) => say({ event: 'lost', window, tile }),
      onFrames: (tile, count) => say({ event: 'frames', window, tile, count }),
      onTurn: (tile) => say({ event: 'turn', window, tile }),
    });
    this.#windows.set(window, found);
    view.connect('create', () => this.#popUp(view));
    return { window, found };
  }

  /**
   * A window that a page opens; what it may show was judged, and is judged again.
   * @param {WebKit.WebView} opener
   */
  #popUp(opener) {
    const { window, found } = this.#make(opener);
    this.#popUps.add(window);
    say({ event: 'window', window, isPopup: true, monitor: null });
    found.view.connect('ready-to-show', () => found.window.present());
    return found.view;
  }

  /** @param {WorldMessage} message */
  #hear(message) {
    if (message.window === undefined) {
      for (const [window, { view }] of this.#windows) giveNumber(view, window);
      return;
    }
    const { window } = message;
    const found = this.#windows.get(window);
    const address = found?.view.get_uri() ?? '';
    if (found === undefined || !isOwnDocument(address, this.#origin)) this.#onRefused(window, 'message', address);
    else if ('json' in message) say({ event: 'message', window, json: message.json });
    else {
      found.begin();
      this.#placeWall(window, message.name);
    }
  }

  /**
   * WebKit does not say under which name a page opens a window: its document does. Once, so that a person may move it.
   * @param {number} window
   * @param {string} name
   */
  #placeWall(window, name) {
    const wall = WALL_NAME.exec(name)?.[1];
    const monitor = wall === undefined ? undefined : this.#walls[Number(wall) - FIRST_WALL];
    const found = this.#windows.get(window);
    if (monitor === undefined || found === undefined || this.#placed.has(window)) return;
    this.#placed.add(window);
    say({ event: 'placed', window, monitor: this.#place(found, monitor) });
  }

  /**
   * Where the window went; null where it may stand anywhere.
   * @param {ViewWindow} found
   * @param {string | null} monitor
   */
  #place(found, monitor) {
    return monitor !== null && fillMonitor(found.window, monitor) ? monitor : null;
  }

  /**
   * @param {number} window
   * @param {'document' | 'message'} what
   * @param {string} of
   */
  #onRefused(window, what, of) {
    say({ event: 'refused', window, what, of });
    // A window that was opened for it alone goes again.
    const isForNothing = what === 'document' && this.#popUps.has(window) && !this.#shown.has(window);
    if (isForNothing) this.#windows.get(window)?.close();
  }

  /** @param {number} window */
  #onClosed(window) {
    this.#windows.delete(window);
    this.#shown.delete(window);
    this.#popUps.delete(window);
    this.#placed.delete(window);
    this.#untrusted.delete(window);
    say({ event: 'closed', window });
  }

  /**
   * @param {number} window
   * @param {ViewWindow} found
   */
  #trust(window, found) {
    const asked = this.#untrusted.get(window);
    if (asked === undefined) return;
    this.#untrusted.delete(window);
    this.#session.allow_tls_certificate_for_host(asked.certificate, hostOf(this.#origin));
    found.view.load_uri(asked.address);
  }

  #focused() {
    const all = [...this.#windows.values()].map(({ window }) => window);
    return all.find((window) => window.is_active) ?? null;
  }
}

/** Without the brackets of an IPv6 address. @param {string} origin */
function hostOf(origin) {
  return origin
    .replace(/^https?:\/\//, '')
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
