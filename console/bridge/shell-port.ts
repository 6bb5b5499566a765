// The line to the native shell around the page, where there is one (BR-01): telling it, asking it, and hearing what it asks.
import { randomId } from '../browser/random.ts';

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

interface Message {
  readonly id: string;
  readonly url?: string;
  readonly data?: unknown;
}

const waiting = new Map<string, (data: unknown) => void>();

function shell(): { postMessage(message: unknown): void } | undefined {
  const { chrome, webkit } = window as unknown as ShellWindow;
  return chrome?.webview ?? webkit?.messageHandlers?.vedette;
}

/** In a browser nobody listens. */
export function tellShell(topic: PageTopic, data: object): void {
  shell()?.postMessage({ id: randomId(), url: `/api/v1.0/cs/${topic}`, data });
}

/** What the shell answers; null in a browser and where it stays silent. */
export function askShell(topic: PageTopic): Promise<unknown> {
  const port = shell();
  if (port === undefined) return Promise.resolve(null);
  const id = randomId();
  return new Promise((resolve) => {
    const done = (data: unknown): void => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(data);
    };
    const timer = setTimeout(() => done(null), ANSWER_MS);
    waiting.set(id, done);
    port.postMessage({ id, url: `/api/v1.0/cs/${topic}`, data: {} });
  });
}

/** From now on requests of the shell are answered; of what is no message nothing is made. */
export function hearShell(handlers: ShellHandlers): void {
  const place = window as unknown as ShellWindow;
  const receive = (message: unknown): void => {
    if (!isMessage(message)) return;
    if (message.url === undefined) return waiting.get(message.id)?.(message.data ?? null);
    const topic = message.url.startsWith(FROM_SHELL) ? message.url.slice(FROM_SHELL.length) : '';
    const handler = Object.hasOwn(handlers, topic) ? handlers[topic as ShellTopic] : undefined;
    const data = typeof message.data === 'object' && message.data !== null ? message.data : {};
    shell()?.postMessage({ id: message.id, ...(handler?.({ ...data }) ?? UNKNOWN_TOPIC), data: {} });
  };
  place.vedetteShell = { receive };
  place.chrome?.webview?.addEventListener('message', (event) => receive((event as MessageEvent).data));
}

function isMessage(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null) return false;
  const { id, url } = message as { id?: unknown; url?: unknown };
  return typeof id === 'string' && (url === undefined || typeof url === 'string');
}
