// The shell as a whole: windows of one server in one browser, which is started again when it ends by itself.
import { ACCOUNT_STATUS } from '@vedette/contract/enumerations.ts';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { BrowserProcess, type BrowserOptions } from './browser/browser-process.ts';
import type { DevtoolsEvent, DevtoolsEvents, TargetInfo } from './browser/devtools-events.ts';
import { DevtoolsError } from './browser/devtools-pipe.ts';
import { askServer } from './browser/server-certificate.ts';
import { ProviderSignIn } from './provider-sign-in/provider-sign-in.ts';
import { openInBrowser, shellHandlers } from './shell-handlers.ts';
import { AutomaticSignIn } from './sign-in-key/automatic-sign-in.ts';
import type { SignInKey } from './sign-in-key/sign-in-key.ts';
import { ownAddress } from './window/navigation-lock.ts';
import { ShellWindow } from './window/shell-window.ts';
import { type StartText, startPage } from './window/start-page.ts';

const SERVER_RETRY_MS = 1000;
/** A browser that cannot start is tried more and more seldom. */
const BROWSER_AGAIN = { firstMs: 1000, maxMs: 60_000 };
/** A page may show notifications, put windows on monitors, copy, and use the microphone for talk; anything else is refused. */
const PERMISSIONS = ['notifications', 'windowManagement', 'clipboardSanitizedWrite', 'audioCapture'];

export interface ShellOptions {
  readonly origin: string;
  readonly browser: BrowserOptions;
  readonly signInKey: SignInKey;
  /** Of the machine, `zh_CN.UTF-8` for instance. */
  readonly language: string;
  readonly clock: Clock;
  readonly onEvent: (event: string, details?: object) => void;
  readonly onEnd: () => void;
}

export class DesktopShell {
  readonly #options: ShellOptions;
  readonly #windows = new Map<string, ShellWindow>();
  /** Addresses of windows that the browser was asked for and has not opened yet. */
  readonly #wanted: string[] = [];
  readonly #startPages = new Set<string>();
  readonly #signIns: AutomaticSignIn;
  /** Of identity providers, brought by the person's browser. */
  readonly #tickets = new SerialQueue();
  readonly #browserAgain = new Backoff(BROWSER_AGAIN, () => 0);
  #ready: Promise<unknown> = Promise.resolve();
  #browser: BrowserProcess;
  #isEnding = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#signIns = new AutomaticSignIn(options.signInKey, (code) => options.onEvent('autoLogin', { code }));
    this.#browser = this.#startBrowser();
  }

  /** Windows in the order of their opening. */
  get windows(): readonly ShellWindow[] {
    return [...this.#windows.values()];
  }

  get browserPid(): number {
    return this.#browser.pid;
  }

  /** False where the address is not of the shell's own server. */
  open(given: string): boolean {
    const address = ownAddress(given, this.#options.origin);
    if (address === null) return false;
    this.#wanted.push(address);
    void this.#openWindow();
    return true;
  }

  end(): void {
    this.#isEnding = true;
    void this.#browser.devtools.send('Browser.close').catch(() => undefined);
  }

  /** Only once the browser runs: before, the start for the window would itself become the browser. */
  async #openWindow(): Promise<void> {
    const browser = this.#browser;
    await this.#ready;
    if (browser === this.#browser) browser.openWindow(this.#page('desktopShell.connecting'));
  }

  #startBrowser(): BrowserProcess {
    const { browser: options, origin } = this.#options;
    const browser = new BrowserProcess(
      options,
      (event) => void this.#take(event).catch((failure: unknown) => this.#onFailure(event.method, failure)),
      () => this.#onBrowserEnd(),
    );
    const commands: [string, object][] = [
      ['Target.setDiscoverTargets', { discover: true }],
      ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }],
      ['Browser.grantPermissions', { origin, permissions: PERMISSIONS }],
    ];
    const prepared = commands.map(([method, params]) =>
      browser.devtools.send(method, params).catch((failure: unknown) => this.#onFailure(method, failure)),
    );
    this.#ready = Promise.all(prepared);
    return browser;
  }

  async #take(event: DevtoolsEvent): Promise<void> {
    if (event.method === 'Target.attachedToTarget') return await this.#attach(event.params);
    if (event.method === 'Target.detachedFromTarget') return this.#detach(event.params.sessionId);
    if (event.method === 'Target.targetInfoChanged') return void (await this.#closeForeign(event.params.targetInfo));
    await this.#windows.get(event.sessionId)?.take(event);
  }

  async #attach({ sessionId, targetInfo }: DevtoolsEvents['Target.attachedToTarget']): Promise<void> {
    const { devtools } = this.#browser;
    if (targetInfo.type !== 'page') return void (await devtools.send('Runtime.runIfWaitingForDebugger', {}, sessionId));
    if (await this.#closeForeign(targetInfo)) return;
    const { origin, clock, signInKey, onEvent } = this.#options;
    const { targetId, openerId } = targetInfo;
    const providerSignIn = this.#providerSignIn(() => window);
    const window = new ShellWindow({
      devtools,
      sessionId,
      targetId,
      origin,
      startPages: this.#startPages,
      handlers: shellHandlers({
        name: 'vedette-desktop',
        native: { codecs: [], overlay: 'none' },
        signInKey,
        onTold: (topic, data) => {
          onEvent('told', { window: this.#placeOf(sessionId), topic, data });
          if (topic === 'account/status') this.#signIn(window, data as { status: number });
        },
        raise: async () => await window.raise(),
        providerSignIn,
      }),
      clock,
      onRefused: (what, of) => onEvent('refused', { what, of }),
      onFailure: (topic, failure) => this.#onFailure(topic, failure),
      onEnd: () => providerSignIn.close(),
    });
    this.#windows.set(sessionId, window);
    await window.install();
    this.#browserAgain.reset();
    onEvent('window', { window: this.#placeOf(sessionId) });
    const address = openerId === undefined ? this.#wanted.shift() : undefined;
    if (address !== undefined) await this.#showWhenReady(window, address);
  }

  /** Of one window: the ticket goes to the page that asked. */
  #providerSignIn(windowOf: () => ShellWindow): ProviderSignIn {
    const { origin, clock, onEvent } = this.#options;
    return new ProviderSignIn({
      origin,
      clock,
      openAddress: (url) => openInBrowser(url, () => onEvent('told', { topic: 'identity/open', failed: 'xdg-open' })),
      onTicket: (ticket) => {
        const signIn = async (): Promise<void> => {
          const { code } = await windowOf().peer.ask('identity/ticket', ticket);
          onEvent('providerSignIn', { code });
          await windowOf().raise();
        };
        this.#tickets.run(signIn).catch((failure: unknown) => this.#onFailure('identity/ticket', failure));
      },
    });
  }

  /** Once in each launch. */
  #signIn(window: ShellWindow, { status }: { readonly status: number }): void {
    if (!window.beginsLaunch() || status !== ACCOUNT_STATUS.notLoggedIn) return;
    this.#signIns.begin(window.peer).catch((failure: unknown) => this.#onFailure('autoLogin', failure));
  }

  /** Settings, an empty tab, the tools for developers: nothing of the browser's own gets a window. */
  async #closeForeign({ type, url, targetId }: TargetInfo): Promise<boolean> {
    if (type !== 'page' || !/^(chrome|chrome-untrusted|devtools|edge|file|view-source):/.test(url)) return false;
    this.#options.onEvent('refused', { what: 'document', of: url });
    await this.#browser.devtools.send('Target.closeTarget', { targetId });
    return true;
  }

  #detach(sessionId: string): void {
    const window = this.#windows.get(sessionId);
    if (window === undefined) return;
    window.end();
    this.#windows.delete(sessionId);
    this.#options.onEvent('closed', { left: this.#windows.size });
    if (this.#windows.size === 0 && this.#wanted.length === 0) this.end();
  }

  /** Again and again until the server is there, or the window is not. */
  async #showWhenReady(window: ShellWindow, address: string): Promise<void> {
    const { origin, browser, clock, onEvent } = this.#options;
    const state = await askServer(origin, browser.pin);
    if (!this.windows.includes(window)) return;
    if (state.kind === 'ready') return await window.show(address);
    onEvent('server', state);
    if (state.kind === 'untrusted') {
      const key = browser.pin === null ? 'desktopShell.untrusted' : 'desktopShell.changed';
      return await window.show(this.#page(key, state.pin));
    }
    clock.after(SERVER_RETRY_MS, () => void this.#showWhenReady(window, address).catch(() => undefined));
  }

  /** Killed, or crashed: as many windows come back, at the page where the console begins. */
  #onBrowserEnd(): void {
    const { clock, onEvent, onEnd, origin } = this.#options;
    const lost = Math.max(1, this.#windows.size + this.#wanted.length);
    for (const window of this.#windows.values()) window.end();
    this.#windows.clear();
    this.#wanted.length = 0;
    onEvent('browserEnded', { again: !this.#isEnding });
    if (this.#isEnding) return onEnd();
    clock.after(this.#browserAgain.next(), () => {
      this.#browser = this.#startBrowser();
      for (let count = 0; count < lost; count += 1) this.open(`${origin}/client.html`);
    });
  }

  #page(key: StartText, pin?: string): string {
    const { origin, language } = this.#options;
    const { host } = new URL(origin);
    const page = startPage(key, pin === undefined ? { server: host } : { server: host, pin }, language);
    this.#startPages.add(page);
    return page;
  }

  #placeOf(sessionId: string): number {
    return [...this.#windows.keys()].indexOf(sessionId);
  }

  /** What was sent to a window or browser that has gone meanwhile failed for that reason alone. */
  #onFailure(what: string, failure: unknown): void {
    if (!(failure instanceof DevtoolsError)) this.#options.onEvent('failure', { what, message: String(failure) });
  }
}
