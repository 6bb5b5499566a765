// Messages to and from the native shell around the page, where there is one (BR-01).
import { randomId } from '../browser/random.ts';
import { type ShellId, ShellLaunch } from './shell-message.ts';

/** What the page asks of the shell or tells it: `/api/v1.0/cs/<topic>`. */
type PageTopic = 'preset/result' | 'account/status' | 'system/info';
/** What the shell asks of the page: `/api/v1.0/web/<topic>`. */
export type ShellTopic = 'account/operate';
export type ShellHandlers = Readonly<Record<ShellTopic, (data: Readonly<Record<string, unknown>>) => ShellAnswer>>;
export interface ShellAnswer {
  readonly code: number;
  readonly message: string;
}

export const SUCCEED: ShellAnswer = { code: 200, message: 'succeed' };
export const BAD_PAYLOAD: ShellAnswer = { code: 1003, message: 'paramInvalid' };
const UNKNOWN_TOPIC: ShellAnswer = { code: 1006, message: 'functionNotSupported' };
/** A shell of another kind does not answer at all. */
const ANSWER_MS = 2000;
const FROM_SHELL = '/api/v1.0/web/';

interface ShellWindow extends EventTarget {
  readonly chrome?: { readonly webview?: EventTarget & { postMessage(message: unknown): void } };
  readonly webkit?: { readonly messageHandlers?: { readonly vedette?: { postMessage(message: unknown): void } } };
  /** Where shells that cannot post events hand their messages over. */
  vedetteShell?: { receive(message: unknown): void };
}

const waiting = new Map<ShellId, (data: unknown) => void>();
/** Null in a browser, which hears nobody. */
let launch: ShellLaunch | null = null;

function shell(): { postMessage(message: unknown): void } | undefined {
  const { chrome, webkit } = window as unknown as ShellWindow;
  return chrome?.webview ?? webkit?.messageHandlers?.vedette;
}

/** The shell learns from whatever it is told which word its own messages must carry. */
function post(message: object): void {
  shell()?.postMessage(launch === null ? message : { ...message, nonce: launch.nonce });
}

/** A browser has nobody who listens. */
export function sendToShell(topic: PageTopic, data: object): void {
  post({ id: randomId(), url: `/api/v1.0/cs/${topic}`, data });
}

/** What the shell answers; null in a browser and where it stays silent. */
export function callShell(topic: PageTopic): Promise<unknown> {
  if (launch === null || shell() === undefined) return Promise.resolve(null);
  const id = randomId();
  return new Promise((resolve) => {
    const done = (data: unknown): void => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(data);
    };
    const timer = setTimeout(() => done(null), ANSWER_MS);
    waiting.set(id, done);
    post({ id, url: `/api/v1.0/cs/${topic}`, data: {} });
  });
}

/**
 * From now on requests of the shell are answered. Of what is no message of this launch nothing is made, and nothing is said to it:
 * windows and frames are not listened to at all, and a page that stands in another's frame hears nobody.
 */
export function listenToShell(handlers: ShellHandlers): void {
  if (window.top !== window.self) return;
  const place = window as unknown as ShellWindow;
  const begun = new ShellLaunch(randomId);
  launch = begun;
  const receive = (value: unknown, isOwnWay: boolean): void => {
    const message = launch === begun ? begun.take(value, isOwnWay) : null;
    if (message === null) return;
    const { id, url, data } = message;
    if (url === null) return waiting.get(id)?.(data);
    const topic = url.startsWith(FROM_SHELL) ? url.slice(FROM_SHELL.length) : '';
    const handler = Object.hasOwn(handlers, topic) ? handlers[topic as ShellTopic] : undefined;
    post({ id, ...(handler?.(data) ?? UNKNOWN_TOPIC), data: {} });
  };
  place.vedetteShell = { receive: (value) => receive(value, false) };
  place.chrome?.webview?.addEventListener('message', (event) => receive((event as MessageEvent).data, true));
}
