// The transport of WKWebView and WebKitGTK: a message handler named `vedette`, and `vedetteShell.receive()`, which the shell evaluates in the page.
import type { Transport } from './transport.ts';

export interface WkWebViewPage {
  readonly webkit?: { readonly messageHandlers?: { readonly vedette?: { postMessage(message: unknown): void } } };
  vedetteShell?: { receive(value: unknown): void };
}

export function wkWebViewTransport(page: WkWebViewPage): Transport {
  return {
    // Any script of the page can call `receive`.
    isOwn: false,
    send: (json) => page.webkit?.messageHandlers?.vedette?.postMessage(JSON.parse(json)),
    onMessage: (take) => {
      page.vedetteShell = { receive: take };
      return () => {
        delete page.vedetteShell;
      };
    },
  };
}
