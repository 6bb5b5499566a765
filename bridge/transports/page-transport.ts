// Which transport a page has: that of the shell around it, that of a listed embedder, or none in a browser.
import { type CefPage, cefTransport } from './cef-transport.ts';
import { type ElectronPreload, electronTransport } from './electron-transport.ts';
import { type FramedPage, frameTransport } from './frame-transport.ts';
import { type QtChannel, qtTransport } from './qt-transport.ts';
import type { Transport } from './transport.ts';
import { type WebView2, webView2Transport } from './webview2-transport.ts';
import { type WkWebViewPage, wkWebViewTransport } from './wkwebview-transport.ts';

/** The parts of a window that shells add. */
export interface ShellPage extends FramedPage, WkWebViewPage, Partial<CefPage> {
  readonly self: object;
  readonly top: object | null;
  readonly chrome?: { readonly webview?: WebView2 };
  readonly vedetteElectron?: ElectronPreload;
  readonly qt?: { readonly webChannelTransport?: QtChannel };
}

/** In a frame only the frame's embedder is heard, and only if it is listed. */
export function pageTransport(page: ShellPage, embedders: readonly string[]): Transport | null {
  if (page.top === page.self) return shellTransport(page);
  return embedders.length === 0 ? null : frameTransport(page, embedders);
}

function shellTransport(page: ShellPage): Transport | null {
  const { chrome, vedetteElectron, webkit, cefQuery, qt } = page;
  if (chrome?.webview !== undefined) return webView2Transport(chrome.webview);
  if (vedetteElectron !== undefined) return electronTransport(vedetteElectron);
  if (webkit?.messageHandlers?.vedette !== undefined) return wkWebViewTransport(page);
  if (cefQuery !== undefined) return cefTransport(page as CefPage);
  if (qt?.webChannelTransport !== undefined) return qtTransport(qt.webChannelTransport);
  return null;
}
