// The GTK shell as a whole: windows of one server in one view, which is started again when it ends by itself.
import { createHash, X509Certificate } from 'node:crypto';
import { ACCOUNT_STATUS } from '@vedette/contract/enumerations.ts';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { askServer } from '../desktop/browser/server-certificate.ts';
import type { DrivenShell } from '../desktop/command-lines.ts';
import { shellHandlers } from '../desktop/shell-handlers.ts';
import { AutomaticSignIn } from '../desktop/sign-in-key/automatic-sign-in.ts';
import type { SignInKey } from '../desktop/sign-in-key/sign-in-key.ts';
import { ownAddress } from '../desktop/window/navigation-lock.ts';
import { type StartText, startHtml } from '../desktop/window/start-page.ts';
import { type EngineFacts, noticeHtml } from './engine-notice.ts';
import { GtkWindow } from './gtk-window.ts';
import { withoutAddresses } from './without-addresses.ts';
import type { Monitor, ViewEvent } from './view-lines.ts';
import { ViewProcess } from './view-process.ts';

const SERVER_RETRY_MS = 1000;
/** A view that cannot start is tried more and more seldom. */
const VIEW_AGAIN = { firstMs: 1000, maxMs: 60_000 };
/** What decoders of Debian's gstreamer1.0-libav play. */
const CODECS = ['h264', 'h265'];

export interface GtkShellOptions {
  readonly origin: string;
  readonly profile: string;
  /** SHA-256 of the public key of a server whose certificate no authority vouches for, base64; null: authorities alone. */
  readonly pin: string | null;
  readonly walls: readonly string[];
  readonly signInKey: SignInKey;
  /** What the person is to read before the first page of the server; null: it was read. */
  readonly notice: EngineFacts | null;
  readonly onNoticeRead: () => void;
  /** Of the machine, `zh_CN.UTF-8` for instance. */
  readonly language: string;
  readonly clock: Clock;
  readonly onEvent: (event: string, details?: object) => void;
  readonly onEnd: () => void;
}

type EventOf<N extends ViewEvent['event']> = Extract<ViewEvent, { event: N }>;

export class GtkShell implements DrivenShell {
  readonly #options: GtkShellOptions;
  readonly #windows = new Map<number, GtkWindow>();
  /** Addresses of windows that the view has not opened yet. */
  readonly #wanted: { readonly address: string; readonly monitor: string | null }[] = [];
  readonly #signIns: AutomaticSignIn;
  readonly #viewAgain = new Backoff(VIEW_AGAIN, () => 0);
  #monitors: readonly Monitor[] = [];
  #notice: EngineFacts | null;
  #view: ViewProcess;
  #isEnding = false;

  constructor(options: GtkShellOptions) {
    this.#options = options;
    this.#notice = options.notice;
    this.#signIns = new AutomaticSignIn(options.signInKey, (code) => options.onEvent('autoLogin', { code }));
    this.#view = this.#startView();
  }

  /** Windows in the order of their opening. */
  get windows(): readonly GtkWindow[] {
    return [...this.#windows.values()];
  }

  get viewPid(): number {
    return this.#view.pid;
  }

  /** False where the address is not of the shell's own server. */
  open(given: string, monitor?: string): boolean {
    const address = ownAddress(given, this.#options.origin);
    if (address === null) return false;
    const wanted = { address, monitor: monitor ?? null };
    this.#wanted.push(wanted);
    this.#view.order({ do: 'open', html: this.#page('desktopShell.connecting'), monitor: wanted.monitor });
    return true;
  }

  end(): void {
    this.#isEnding = true;
    this.#view.order({ do: 'end' });
  }

  #startView(): ViewProcess {
    const { origin, profile, walls } = this.#options;
    const view = new ViewProcess(
      (event) => this.#take(event),
      () => this.#onViewEnd(),
    );
    view.order({ do: 'begin', origin, profile, walls });
    return view;
  }

  #take(event: ViewEvent): void {
    const { onEvent } = this.#options;
    switch (event.event) {
      case 'monitors':
        this.#monitors = event.monitors;
        return onEvent('monitors', { monitors: event.monitors });
      case 'window':
        return this.#onWindow(event);
      case 'closed':
        return this.#onClosed(event.window);
      case 'refused':
        return onEvent('refused', { what: event.what, of: event.of });
      case 'permission':
        return event.isGranted ? undefined : onEvent('refused', { what: 'permission', of: event.what });
      default: {
        const window = this.#windows.get(event.window);
        if (window !== undefined) this.#takeOf(window, event);
      }
    }
  }

  #takeOf(window: GtkWindow, event: Exclude<ViewEvent, EventOf<'monitors'>>): void {
    const { onEvent, clock } = this.#options;
    switch (event.event) {
      case 'document':
        return this.#onDocument(window);
      case 'message':
        return window.receive(event.json);
      case 'placed':
        return onEvent('placed', { window: this.#placeOf(window), monitor: event.monitor });
      case 'crashed':
        return onEvent('crashed', { window: this.#placeOf(window) });
      case 'failed':
        return void clock.after(SERVER_RETRY_MS, () => this.#begin(event.window, window, event.address));
      case 'untrusted':
        return this.#judge(event);
      case 'turn':
        return void window.tiles.turn(event.tile);
      case 'playing':
        onEvent('tile', { window: this.#placeOf(window), tile: event.tile, state: 'playing' });
        return window.tiles.onPlaying(event);
      case 'lost':
        onEvent('tile', { window: this.#placeOf(window), tile: event.tile, state: 'lost' });
        return window.tiles.onLost(event.tile);
      case 'frames':
        return onEvent('frames', { window: this.#placeOf(window), tile: event.tile, count: event.count });
      default:
    }
  }

  #onWindow({ window: number, isPopup, monitor }: EventOf<'window'>): void {
    this.#viewAgain.reset();
    const wanted = isPopup ? undefined : this.#wanted.shift();
    const address = wanted?.address ?? null;
    const window = this.#newWindow(number, address);
    this.#windows.set(number, window);
    this.#options.onEvent('window', { window: this.#placeOf(window), isPopup, monitor });
    const missing = wanted?.monitor ?? null;
    if (missing !== null && monitor === null) this.#onFailure('monitor', `none is called ${missing}`);
    if (address !== null) this.#begin(number, window, address);
  }

  #newWindow(number: number, address: string | null): GtkWindow {
    const { clock, signInKey } = this.#options;
    const order = this.#view.order.bind(this.#view);
    const window: GtkWindow = new GtkWindow({
      address,
      send: (json) => order({ do: 'message', window: number, json }),
      player: {
        play: (tile, url, place) => order({ do: 'play', window: number, tile, url, place }),
        place: (tile, place) => order({ do: 'place', window: number, tile, place }),
        stop: (tile) => order({ do: 'stop', window: number, tile }),
      },
      handlers: shellHandlers({
        name: 'vedette-gtk',
        native: { codecs: CODECS, overlay: 'inside', isBeneath: true },
        monitors: () => [...this.#monitors],
        signInKey,
        onTold: (topic, data) => this.#onTold(window, topic, data),
        raise: async () => order({ do: 'raise', window: number }),
      }),
      clock,
      onFailure: (topic, failure) => this.#onFailure(topic, failure),
    });
    return window;
  }

  #onTold(window: GtkWindow, topic: string, data: unknown): void {
    const { onEvent } = this.#options;
    onEvent('told', { window: this.#placeOf(window), topic, data: withoutAddresses(data) });
    if (topic === 'window/current') window.tiles.placeAll((data as { tileList: [] }).tileList);
    const isAnonymous =
      topic === 'account/status' && (data as { status: number }).status === ACCOUNT_STATUS.notLoggedIn;
    if (topic !== 'account/status' || !window.beginsLaunch() || !isAnonymous) return;
    this.#signIns.begin(window.peer).catch((failure: unknown) => this.#onFailure('autoLogin', failure));
  }

  /** Whoever sees a page of the server has gone on from the notice. */
  #onDocument(window: GtkWindow): void {
    window.onDocument();
    if (this.#notice === null) return;
    this.#notice = null;
    this.#options.onNoticeRead();
  }

  /** Again and again until the server is there, or the window is not. */
  #begin(number: number, window: GtkWindow, address: string): void {
    const again = async (): Promise<void> => {
      const { origin, pin, clock, onEvent } = this.#options;
      const state = await askServer(origin, pin);
      if (this.#windows.get(number) !== window) return;
      if (state.kind === 'ready') return this.#showPage(number, address);
      onEvent('server', state);
      if (state.kind === 'untrusted') return this.#showUntrusted(number, state.pin);
      clock.after(SERVER_RETRY_MS, () => void again());
    };
    void again();
  }

  #showPage(window: number, address: string): void {
    const { language, onEvent } = this.#options;
    if (this.#notice === null) return this.#view.order({ do: 'show', window, address });
    onEvent('notice', { word: this.#notice.word });
    this.#view.order({ do: 'showHtml', window, html: noticeHtml(this.#notice, address, language) });
  }

  #showUntrusted(window: number, pin: string): void {
    const key = this.#options.pin === null ? 'desktopShell.untrusted' : 'desktopShell.changed';
    this.#view.order({ do: 'showHtml', window, html: this.#page(key, pin) });
  }

  /** The web engine itself trusts authorities alone. */
  #judge({ window, certificate }: EventOf<'untrusted'>): void {
    const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
    const pin = createHash('sha256').update(key).digest('base64');
    if (pin === this.#options.pin) this.#view.order({ do: 'trust', window });
    else this.#showUntrusted(window, pin);
  }

  #onClosed(number: number): void {
    this.#windows.get(number)?.end();
    this.#windows.delete(number);
    this.#options.onEvent('closed', { left: this.#windows.size });
    if (this.#windows.size === 0 && this.#wanted.length === 0) this.end();
  }

  /** Killed, or crashed: as many windows come back, at the page where they began; what pages opened, they open themselves. */
  #onViewEnd(): void {
    const { clock, onEvent, onEnd } = this.#options;
    const lost = [
      ...this.windows.flatMap(({ address }) => address ?? []),
      ...this.#wanted.map(({ address }) => address),
    ];
    for (const window of this.#windows.values()) window.end();
    this.#windows.clear();
    this.#wanted.length = 0;
    onEvent('viewEnded', { again: !this.#isEnding });
    if (this.#isEnding) return onEnd();
    clock.after(this.#viewAgain.next(), () => {
      this.#view = this.#startView();
      for (const address of lost) this.open(address);
    });
  }

  #page(key: StartText, pin?: string): string {
    const { origin, language } = this.#options;
    const { host } = new URL(origin);
    return startHtml(key, pin === undefined ? { server: host } : { server: host, pin }, language);
  }

  #onFailure(what: string, failure: unknown): void {
    this.#options.onEvent('failure', { what, message: String(failure) });
  }

  #placeOf(window: GtkWindow): number {
    return this.windows.indexOf(window);
  }
}
