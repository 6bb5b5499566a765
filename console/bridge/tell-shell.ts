// Tells the native shell around the page, where there is one, what happened (BR-01): `{id, url, data}` as its bridge takes it.
import { randomId } from '../browser/random.ts';

interface ShellWindow {
  readonly chrome?: { readonly webview?: { postMessage(message: unknown): void } };
  readonly webkit?: { readonly messageHandlers?: { readonly vedette?: { postMessage(message: unknown): void } } };
}

/** In a browser nobody listens. */
export function tellShell(topic: 'preset/result', data: object): void {
  const { chrome, webkit } = window as unknown as ShellWindow;
  const shell = chrome?.webview ?? webkit?.messageHandlers?.vedette;
  shell?.postMessage({ id: randomId(), url: `/api/v1.0/cs/${topic}`, data });
}
