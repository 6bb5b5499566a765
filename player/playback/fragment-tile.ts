// A tile that is decoded in the playback worker: feeds it recording windows, and reports to its group what it shows.
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { REFUSAL_CODES } from '../core/refusal-codes.ts';
import { epochNow } from './worker/clock-state.ts';
import type { RecordingSource } from './recording-source.ts';
import { readAwaited, readFragmentIndex } from './segments/fragment-index.ts';
import { type Fetcher, requestMedia } from './segments/media-request.ts';
import type { PlaybackClock } from './playback-clock.ts';
import type { PlaybackLink, PresentedFrame } from './playback-link.ts';
import type { PlaybackTile, TileEvents } from './playback-tile.ts';
import { TileSurface } from './tile-surface.ts';
import type { FragmentFault, FromTile, WindowReply } from './worker/worker-messages.ts';

export interface FragmentTileOptions {
  readonly id: string;
  /** Element that the tile's surface is added to. */
  readonly host: HTMLElement;
  readonly source: RecordingSource;
  readonly link: PlaybackLink;
  readonly events: TileEvents;
}

const WINDOW_MS = PLAYBACK_WINDOW_S * 1000;
/** Greatest difference between the clocks of page and server. */
const GROWS_FOR_MS = 60_000;
/** A ticket issued earlier may have expired unused. */
const FRESH_MS = 45_000;
/** HTTP status of the engine if the device fails to send an edge recording. */
const DEVICE_FAILED = 502;
const get: Fetcher = (address, init) => fetch(address, init);
const NOTHING = { kind: 'segments', segments: [], isGrowing: true } satisfies WindowReply;

type WantedWindow = Pick<Extract<FromTile, { kind: 'wantWindow' }>, 'window' | 'isStale' | 'at'>;

export class FragmentTile implements PlaybackTile {
  readonly #options: FragmentTileOptions;
  readonly #surface: TileSurface;
  readonly #resize: ResizeObserver;
  readonly #life = new AbortController();
  /** Address of each window with a ticket. */
  readonly #addresses = new Map<number, string>();
  /** The newest ticket. */
  #newest: { readonly address: string; readonly atMs: number } | null = null;
  #jump = 0;
  #steps: ((at: number | null) => void)[] = [];

  constructor(options: FragmentTileOptions) {
    this.#options = options;
    const { id, host, link } = options;
    this.#surface = new TileSurface(host);
    link.open(id, (message) => this.#take(message));
    link.send({ kind: 'add', tile: id, windowMs: WINDOW_MS });
    this.#resize = new ResizeObserver(() => this.#measure());
    this.#resize.observe(host);
    this.#measure();
  }

  follow(clock: PlaybackClock): void {
    this.#jump = clock.state.jump;
    this.#options.link.setClock(clock.state);
  }

  again(): void {
    this.#surface.lighten();
    this.#options.link.send({ kind: 'again', tile: this.#options.id });
  }

  step(direction: 1 | -1): Promise<number | null> {
    return new Promise((resolve) => {
      this.#steps.push(resolve);
      this.#options.link.send({ kind: 'step', tile: this.#options.id, direction });
    });
  }

  setThin(isThin: boolean): void {
    this.#options.link.send({ kind: 'thin', tile: this.#options.id, isThin });
  }

  setHeard(isHeard: boolean): void {
    this.#options.link.listen(this.#options.id, isHeard);
  }

  setThumbnail(at: number | null): void {
    this.#options.link.send({ kind: 'still', tile: this.#options.id, at });
  }

  async verify(at: number): Promise<void> {
    const startTime = Math.floor(at);
    const { source } = this.#options;
    // The current ticket ends with the right, and answers faster.
    const [asked] = await Promise.allSettled([
      source.getFragments({ startTime, endTime: startTime + 1000 }, this.#life.signal),
      this.#checkTicket(),
    ]);
    if (asked.status === 'rejected') throw asked.reason;
    if (asked.value.kind === 'refused') this.#refuse(asked.value.code);
  }

  async #checkTicket(): Promise<void> {
    const newest = this.#newest;
    if (newest === null || epochNow() - newest.atMs > FRESH_MS) return;
    const { address } = newest;
    const answer = await fetch(`${address}/index.json`, { signal: this.#life.signal });
    if (answer.status !== 403) return;
    const { code } = (await answer.json()) as { code?: unknown };
    if (typeof code === 'number') this.#refuse(code);
  }

  close(): void {
    this.leave()();
  }

  leave(): () => void {
    this.#life.abort(new DOMException('the tile was closed', 'AbortError'));
    this.#resize.disconnect();
    for (const step of this.#steps) step(null);
    this.#steps = [];
    this.#options.link.close(this.#options.id);
    this.#surface.leave();
    return () => this.#surface.remove();
  }

  #measure(): void {
    const { host, id, link } = this.#options;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [Math.round(host.clientWidth * ratio), Math.round(host.clientHeight * ratio)];
    link.send({ kind: 'size', tile: id, width, height });
  }

  #take(message: FromTile | PresentedFrame): void {
    const { events } = this.#options;
    if (message.kind === 'status') {
      // For an earlier position: dropped.
      if (message.jump === this.#jump) events.onStatus(message.status);
    } else if (message.kind === 'picture') {
      if (this.#surface.show(message, message.jump)) events.onFrame(message.at);
    } else if (message.kind === 'still') events.onThumbnail(message.at, message.bitmap);
    else if (message.kind === 'stepped') this.#steps.shift()?.(message.at);
    else if (message.kind === 'fault') this.#fault(message.fault);
    else if (message.kind === 'wantWindow') this.#bring(message);
  }

  #bring(wanted: WantedWindow): void {
    const { id, link } = this.#options;
    const { window } = wanted;
    const reply = (answer: WindowReply): void => link.send({ kind: 'window', tile: id, window, reply: answer });
    this.#window(wanted).then(reply, () => reply({ kind: 'failed' }));
  }

  async #window({ window, isStale, at }: WantedWindow): Promise<WindowReply> {
    const now = epochNow();
    // The future is not recorded.
    if (window > now + GROWS_FOR_MS) return NOTHING;
    const isGrowing = window + WINDOW_MS > now - GROWS_FOR_MS;
    const known = isStale ? undefined : this.#addresses.get(window);
    const opened = known === undefined ? await this.#open(window) : { address: known };
    if (opened === null) return { ...NOTHING, isGrowing };
    if (opened === 'refused') return { kind: 'failed' };
    const { address } = opened;
    const answer = await requestMedia(get, `${address}/index.json?at=${Math.floor(at)}`, this.#life.signal);
    const text = new TextDecoder().decode(answer.bytes);
    if (answer.status === DEVICE_FAILED) return this.#deviceFailed(text);
    if (!answer.ok) {
      this.#addresses.delete(window);
      // The ticket expired: request another one at once.
      if (known !== undefined) return this.#window({ window, isStale: true, at });
      return { kind: 'failed' };
    }
    const segments = readFragmentIndex(text, `${address}/`);
    return { kind: 'segments', segments, awaited: readAwaited(text), isGrowing };
  }

  /** Edge recordings only, and the device fails. */
  #deviceFailed(text: string): WindowReply {
    const { code } = JSON.parse(text) as { code?: unknown };
    this.#refuse(typeof code === 'number' ? code : REFUSAL_CODES.devInternalErr);
    return { kind: 'failed' };
  }

  /** Null: nothing is recorded there. */
  async #open(window: number): Promise<{ readonly address: string } | 'refused' | null> {
    const range = { startTime: window, endTime: window + WINDOW_MS };
    const answer = await this.#options.source.getFragments(range, this.#life.signal);
    if (answer.kind === 'none') return null;
    if (answer.kind === 'refused') {
      this.#refuse(answer.code);
      return 'refused';
    }
    this.#addresses.set(window, answer.address);
    this.#newest = { address: answer.address, atMs: epochNow() };
    return { address: answer.address };
  }

  #refuse(code: number): void {
    const { id, link, events } = this.#options;
    this.#addresses.clear();
    this.#surface.darken(this.#jump);
    link.send({ kind: 'clear', tile: id });
    const isServer = code === REFUSAL_CODES.serverInternalError || code === REFUSAL_CODES.serviceBusy;
    const isDevice = code === REFUSAL_CODES.devResponseTimeOut || code === REFUSAL_CODES.devInternalErr;
    events.onEnd(isServer || isDevice ? { kind: 'failed', code, message: '' } : { kind: 'denied', code });
  }

  #fault(fault: FragmentFault): void {
    if (fault.kind === 'refused') return this.#refuse(fault.code);
    this.#surface.darken(this.#jump);
    const { events } = this.#options;
    if (fault.kind === 'unsupported') events.onEnd(fault);
    else events.onEnd({ kind: 'failed', code: null, message: fault.message });
  }
}
