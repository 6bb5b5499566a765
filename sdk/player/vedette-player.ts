// `<vedette-player>`: one camera of a Vedette server on a page of somebody else, live or from its recordings.
import type { PlayerError, PlayerState, PtzCommand, TalkState, TokenSource } from './element-types.ts';
import { listenToKeys } from './keys.ts';
import { LiveView } from './live-view.ts';
import { type PlayerOrder, readOrder } from './player-order.ts';
import { errorOf, IDLE } from './player-state.ts';
import { PtzMoves } from './ptz-moves.ts';
import type { RecordedView } from './recorded-view.ts';
import { errorSentence, languageOf, sentenceOf } from './sentences.ts';
import { refusalOf, ServerCalls } from './server-calls.ts';
import { Stage } from './stage.ts';
import { TalkLine } from './talk-line.ts';
import type { View, ViewOptions } from './view.ts';

const LOADING: PlayerState = { ...IDLE, kind: 'loading' };
const FAILED: PlayerState = { ...IDLE, kind: 'failed' };
/** These answers to PTZ or talk stay the same for the token: the buttons go. */
const REFUSED_FOR_GOOD: ReadonlySet<number> = new Set([1004, 1006]);
const USUAL_SPEED = 5;
const TIME_EVERY_MS = 250;
/** Another stream is opened when one of these changes. */
const SOURCE = ['server', 'device', 'channel', 'quality', 'at', 'token'];

export class VedettePlayer extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [...SOURCE, 'sound', 'controls', 'ptz', 'talk', 'lang'];

  /** Its role and name for screen readers, without attributes that belong to the page. */
  readonly #internals = this.attachInternals();
  readonly #stage: Stage;
  #tokenSource: TokenSource | null = null;
  #state: PlayerState = IDLE;
  #time: number | null = null;
  #timeToldAt = 0;
  #live: LiveView | null = null;
  #recorded: RecordedView | null = null;
  #moves: PtzMoves | null = null;
  #talkLine: TalkLine | null = null;
  #talkState: TalkState = { kind: 'off', endedBy: null };
  readonly #refused = new Set<'ptz' | 'talk'>();
  /** What was opened last; answers of what was before it are dropped. */
  #turn = 0;
  #isPlanned = false;

  constructor() {
    super();
    this.#internals.role = 'group';
    const actions = {
      togglePlay: () => (this.#recorded?.isPlaying ? this.pause() : this.play()),
      toggleSound: () => void this.toggleAttribute('sound'),
      saveSnapshot: () => void this.#saveSnapshot(),
      toggleTalk: () => (this.#talkLine?.isOpen ? this.stopTalk() : this.startTalk()),
      toggleFullScreen: () => void this.#toggleFullScreen(),
      retry: () => this.retry(),
      startMove: (command: PtzCommand) => this.startMove(command),
      stopMove: (command: PtzCommand) => this.stopMove(command),
      stopAllMoves: () => this.#moves?.stopAll(),
      skip: (seconds: number) => this.#recorded?.seek(this.#recorded.position + seconds * 1000),
    };
    this.#stage = new Stage(this, actions);
    listenToKeys(this, actions, () => this.#abilities());
  }

  /** Gives the access token; in its place, or without it, stands the attribute `token`. */
  get tokenSource(): TokenSource | null {
    return this.#tokenSource;
  }

  set tokenSource(source: TokenSource | null) {
    this.#tokenSource = source;
    this.#plan();
  }

  get state(): PlayerState {
    return this.#state;
  }

  get talkState(): TalkState {
    return this.#talkState;
  }

  /** Wall clock of the picture on screen, ms since 1970 UTC; null before the first one. */
  get currentTime(): number | null {
    return this.#time;
  }

  /** Of recordings: 0.5 to 16, and −0.5 to −16 where the browser decodes them itself. */
  get playbackRate(): number {
    return this.#recorded?.rate ?? 1;
  }

  set playbackRate(rate: number) {
    if (this.#recorded !== null) this.#recorded.rate = rate;
  }

  connectedCallback(): void {
    if (!this.hasAttribute('tabindex')) this.tabIndex = 0;
    this.#plan();
  }

  disconnectedCallback(): void {
    this.#plan();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    if (SOURCE.includes(name)) this.#plan();
    if (name === 'sound') this.#view?.setSound(now !== null);
    this.#paint();
  }

  /** Recordings go on. */
  play(): void {
    this.#recorded?.play();
    this.#paint();
  }

  pause(): void {
    this.#recorded?.pause();
    this.#paint();
  }

  /** Goes to another time of the recordings, ms since 1970 UTC; opens them where the picture is live. */
  seek(time: number): void {
    if (this.#recorded === null) this.setAttribute('at', String(Math.round(time)));
    else this.#recorded.seek(time);
  }

  goLive(): void {
    this.removeAttribute('at');
  }

  /** Tries again at once. */
  retry(): void {
    if (this.#view === null) this.#plan();
    else this.#view.retry();
  }

  /** The picture on screen as JPEG in its own size; null where there is none. */
  async snapshot(): Promise<Blob | null> {
    return (await this.#view?.snapshot()) ?? null;
  }

  /** Moves the camera until `stopMove`; `speed` 1 to 10. */
  startMove(command: PtzCommand, speed: number = USUAL_SPEED): void {
    if (this.#live === null) return;
    this.#live.setLowLatency(true);
    this.#moves?.start(command, speed);
  }

  stopMove(command: PtzCommand): void {
    this.#moves?.stop(command);
    this.#live?.setLowLatency(this.#talkLine?.isOpen ?? false);
  }

  startTalk(): void {
    if (this.#live === null) return;
    this.#live.setLowLatency(true);
    this.#talkLine?.start();
  }

  stopTalk(): void {
    this.#talkLine?.stop();
  }

  get #view(): View | null {
    return this.#live ?? this.#recorded;
  }

  /** Once for all attributes that change together. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#open();
    });
  }

  #open(): void {
    this.#close();
    const order = this.isConnected ? readOrder(this) : null;
    if (order === null) return this.#enter(IDLE);
    this.#enter(LOADING);
    const turn = this.#turn;
    const { server, channel } = order;
    const calls = new ServerCalls(server, () => this.#tokenSource?.() ?? this.getAttribute('token'));
    const options: ViewOptions = {
      server,
      calls,
      channel,
      video: this.#stage.video,
      canvas: this.#stage.canvas,
      recording: this.#stage.recording,
      onState: (state) => turn === this.#turn && this.#enter(state),
      onTime: (time) => turn === this.#turn && this.#tellTime(time),
    };
    if (order.at === null) this.#openLive(options, order);
    else void this.#openRecorded(options, order.at, turn);
  }

  #openLive(options: ViewOptions, { quality }: PlayerOrder): void {
    const { calls, channel } = options;
    this.#live = new LiveView(options, quality);
    this.#live.setSound(this.hasAttribute('sound'));
    const onFailure = (failure: unknown): void => {
      const refusal = refusalOf(failure);
      if (refusal !== null) this.#refuse('ptz', refusal);
    };
    this.#moves = new PtzMoves({ calls, channel, onFailure });
    this.#talkLine = new TalkLine({
      calls,
      channel,
      onState: (state) => this.#talkChanged(state),
      onRefused: (error) => this.#refuse('talk', error),
    });
    this.#paint();
  }

  /** Loaded when it is needed first. */
  async #openRecorded(options: ViewOptions, at: number, turn: number): Promise<void> {
    try {
      const { RecordedView } = await import('./recorded-view.ts');
      if (turn !== this.#turn) return;
      this.#recorded = new RecordedView(options, at);
      this.#recorded.setSound(this.hasAttribute('sound'));
      this.#paint();
    } catch {
      if (turn === this.#turn) this.#enter(FAILED);
    }
  }

  #close(): void {
    this.#turn += 1;
    this.#talkLine?.stop();
    this.#moves?.stopAll();
    this.#view?.close();
    this.#live = null;
    this.#recorded = null;
    this.#talkLine = null;
    this.#moves = null;
    this.#refused.clear();
    this.#time = null;
    this.#stage.reset();
  }

  #enter(state: PlayerState): void {
    const before = this.#state;
    this.#state = state;
    if (state.kind === 'denied' || state.kind === 'ended') this.#stage.setTime('');
    this.#paint();
    if (before.kind === state.kind && before.code === state.code && before.reason === state.reason) return;
    this.#tell('statechange', state);
    const error = errorOf(state);
    if (error !== null) this.#tell('error', error);
  }

  #tellTime(time: number): void {
    this.#time = time;
    const now = performance.now();
    if (now - this.#timeToldAt < TIME_EVERY_MS) return;
    this.#timeToldAt = now;
    const format = new Intl.DateTimeFormat(this.#languageTag(), { dateStyle: 'medium', timeStyle: 'medium' });
    this.#stage.setTime(format.format(time));
    this.#tell('timeupdate', { time });
  }

  #talkChanged(state: TalkState): void {
    const isNew = state.kind !== this.#talkState.kind;
    this.#talkState = state;
    if (!isNew) return;
    if (state.kind === 'off') this.#live?.setLowLatency(false);
    this.#paint();
    this.#tell('talkchange', state);
  }

  #refuse(what: 'ptz' | 'talk', error: PlayerError): void {
    if (REFUSED_FOR_GOOD.has(error.code)) this.#refused.add(what);
    this.#paint(errorSentence(languageOf(this.#languageTag()), error));
    this.#tell('error', error);
  }

  #tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #languageTag(): string {
    return this.closest('[lang]')?.getAttribute('lang') || 'en';
  }

  #abilities() {
    const may = (what: 'ptz' | 'talk'): boolean =>
      this.#live !== null && this.hasAttribute(what) && !this.#refused.has(what);
    return { isRecorded: this.#recorded !== null, maySteer: may('ptz'), mayTalk: may('talk') };
  }

  /** `said` stands until the next change where the state itself says nothing. */
  #paint(said: string | null = null): void {
    const words = languageOf(this.#languageTag());
    const { kind } = this.#state;
    this.#internals.ariaLabel = words.player;
    const facts = {
      words,
      hasControls: this.hasAttribute('controls'),
      isPlaying: this.#recorded?.isPlaying ?? true,
      isHeard: this.hasAttribute('sound'),
      isTalking: this.#talkState.kind !== 'off',
      mayRetry: kind === 'stalled' || kind === 'offline' || kind === 'failed' || kind === 'denied',
      ...this.#abilities(),
    };
    this.#stage.show(facts, sentenceOf(words, this.#state) ?? said);
  }

  async #saveSnapshot(): Promise<void> {
    const picture = await this.snapshot();
    if (picture === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(picture);
    link.download = `${this.getAttribute('device')}-${new Date(this.#time ?? Date.now()).toISOString()}.jpg`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async #toggleFullScreen(): Promise<void> {
    // The page around may not allow it.
    const done = document.fullscreenElement === this ? document.exitFullscreen() : this.requestFullscreen();
    await done.catch(() => undefined);
  }
}
