// The transport of WebView2 (`chrome.webview`): also of Chromium shells, which put an object of this shape into the page.
import type { Transport } from './transport.ts';

export interface WebView2 {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', take: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: 'message', take: (event: { readonly data: unknown }) => void): void;
}

export function webView2Transport(webview: WebView2): Transport {
  return {
    isOwn: true,
    // As an object: the host reads `WebMessageAsJson`.
    send: (json) => webview.postMessage(JSON.parse(json)),
    onMessage: (take) => {
      const listen = (event: { readonly data: unknown }): void => take(event.data);
      webview.addEventListener('message', listen);
      return () => webview.removeEventListener('message', listen);
    },
  };
}
