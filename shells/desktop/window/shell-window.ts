// One window: its page's side of the DevTools protocol, the lock on what it may show, and the shell's side of the bridge.
import { type Handlers, Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS, type CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS, type WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DevtoolsEvent, DevtoolsEvents } from '../browser/devtools-events.ts';
import type { DevtoolsPipe } from '../browser/devtools-pipe.ts';
import { isOwnDocument, mayBeShown } from './navigation-lock.ts';
import { BINDING, DELIVER, PAGE_SCRIPT, WORLD, WORLD_SCRIPT } from './page-scripts.ts';

export type ShellPeer = Peer<CsTopics, WebTopics>;

export interface WindowOptions {
  readonly devtools: DevtoolsPipe;
  readonly sessionId: string;
  readonly targetId: string;
  readonly origin: string;
  readonly startPages: ReadonlySet<string>;
  readonly handlers: Handlers<CsTopics>;
  readonly clock: Clock;
  readonly onRefused: (what: 'document' | 'message', of: string) => void;
  readonly onFailure: (topic: string, failure: unknown) => void;
  readonly onEnd: () => void;
}

interface PlacedWindow {
  readonly windowId: number;
  readonly bounds: { readonly windowState?: string };
}

export class ShellWindow {
  readonly peer: ShellPeer;
  readonly #options: WindowOptions;
  /** Contexts of the shell's own world in the top document, which is the one of the target's own frame. */
  readonly #worlds = new Map<number, string>();
  #hasShown = false;
  #isNewLaunch = false;
  #take: (value: unknown) => void = () => undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
    const { clock, handlers, onFailure } = options;
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
        send: (json) => void this.#deliver(json),
        onMessage: (take) => {
          this.#take = take;
          return () => {
            this.#take = () => undefined;
          };
        },
      },
    });
  }

  /** The page waits until all is in place. */
  async install(): Promise<void> {
    await Promise.all([
      this.#send('Page.enable'),
      this.#send('Inspector.enable'),
      this.#send('Runtime.enable'),
      this.#send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
      this.#send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_SCRIPT }),
      this.#send('Page.addScriptToEvaluateOnNewDocument', { source: WORLD_SCRIPT, worldName: WORLD }),
      this.#send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
      this.#send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  async show(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
  }

  /** Also a window that was minimised. */
  async raise(): Promise<void> {
    const { devtools, targetId } = this.#options;
    const { windowId, bounds } = (await devtools.send('Browser.getWindowForTarget', {
      targetId,
    })) as unknown as PlacedWindow;
    if (bounds.windowState === 'minimized')
      await devtools.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    await devtools.send('Target.activateTarget', { targetId });
  }

  async close(): Promise<void> {
    await this.#options.devtools.send('Target.closeTarget', { targetId: this.#options.targetId });
  }

  end(): void {
    this.peer.close();
    this.#options.onEnd();
  }

  async take(event: DevtoolsEvent): Promise<void> {
    switch (event.method) {
      case 'Runtime.executionContextCreated':
        return this.#addWorld(event.params.context);
      case 'Runtime.executionContextDestroyed':
        return void this.#worlds.delete(event.params.executionContextId);
      case 'Runtime.executionContextsCleared':
        return this.#worlds.clear();
      case 'Runtime.bindingCalled':
        return this.#hear(event.params);
      case 'Fetch.requestPaused':
        return await this.#judgeRequest(event.params);
      case 'Page.frameNavigated':
        return await this.#judgeShown(event.params.frame);
      case 'Inspector.targetCrashed':
        // The page begins a new launch.
        return void (await this.#send('Page.reload'));
      default:
    }
  }

  #addWorld({ id, name, origin, auxData }: DevtoolsEvents['Runtime.executionContextCreated']['context']): void {
    const isOurs = name === WORLD && auxData?.frameId === this.#options.targetId;
    if (!isOurs || origin !== this.#options.origin) return;
    this.#worlds.set(id, origin);
    this.#isNewLaunch = true;
  }

  /** True once in each launch of the page. */
  beginsLaunch(): boolean {
    const isNew = this.#isNewLaunch;
    this.#isNewLaunch = false;
    return isNew;
  }

  #hear({ name, payload, executionContextId }: DevtoolsEvents['Runtime.bindingCalled']): void {
    if (name === BINDING && this.#worlds.has(executionContextId)) this.#take(payload);
    else this.#options.onRefused('message', name);
  }

  async #judgeRequest({ requestId, request, frameId }: DevtoolsEvents['Fetch.requestPaused']): Promise<void> {
    if (isOwnDocument(request.url, this.#options.origin))
      return void (await this.#send('Fetch.continueRequest', { requestId }));
    this.#options.onRefused('document', request.url);
    await this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    // A window that was opened for it alone goes again.
    if (frameId === this.#options.targetId && !this.#hasShown) await this.close();
  }

  /** What needs no request: an address of the browser itself, for instance. */
  async #judgeShown({ parentId, url }: DevtoolsEvents['Page.frameNavigated']['frame']): Promise<void> {
    if (parentId !== undefined) return;
    const { origin, startPages, onRefused } = this.#options;
    if (isOwnDocument(url, origin) || startPages.has(url)) this.#hasShown = true;
    if (mayBeShown(url, origin, startPages)) return;
    onRefused('document', url);
    await this.close();
  }

  /** Into the newest document; a message to one that has gone is lost, as its answer would be. */
  async #deliver(json: string): Promise<void> {
    const executionContextId = [...this.#worlds.keys()].at(-1);
    if (executionContextId === undefined) return;
    const call = { executionContextId, functionDeclaration: DELIVER, arguments: [{ value: json }] };
    await this.#send('Runtime.callFunctionOn', call).catch(() => undefined);
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const { devtools, sessionId } = this.#options;
    return devtools.send(method, params, sessionId);
  }
}
