// One window: the page of the server, locked to its origin, and the shell's side of the bridge.
import path from 'node:path';
import {
  BRIDGE_VERSIONS,
  type BridgePeer,
  type CsTopics,
  type Handlers,
  shellPeer,
  TOPICS,
  type WebTopics,
} from '@vedette/bridge';
import { app, BrowserWindow, type BrowserWindowConstructorOptions, type Session, shell } from 'electron';
import { ipcTransport } from './ipc-transport.ts';
import { isOwn } from './own-pages.ts';

export interface WindowParts {
  readonly origin: string;
  readonly session: Session;
}

/** The console opens windows of its own as well, which get the same lock and a bridge of their own. */
export function openWindow(address: string, parts: WindowParts): BrowserWindow {
  const window = new BrowserWindow(optionsOf(parts));
  equip(window, parts);
  void window.loadURL(address);
  return window;
}

export function raise(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function optionsOf({ session }: WindowParts): BrowserWindowConstructorOptions {
  const preload = path.join(import.meta.dirname, 'preload.cjs');
  const webPreferences = { preload, session, sandbox: true, contextIsolation: true, nodeIntegration: false };
  return { width: 1280, height: 800, autoHideMenuBar: true, webPreferences };
}

function equip(window: BrowserWindow, parts: WindowParts): void {
  const { webContents: contents } = window;
  lock(window, parts);
  const peer: BridgePeer<WebTopics> = shellPeer({
    transport: ipcTransport(contents, parts.origin),
    handlers: handlersOf(window),
    onFailure: (topic, failure) => void process.stderr.write(`${topic}: ${String(failure)}\n`),
  });
  contents.on('destroyed', () => peer.close());
  // The page begins a new launch.
  contents.on('render-process-gone', () => contents.reload());
}

/** Beside the lock of the session on requests: what needs no request, and new windows. */
function lock({ webContents: contents }: BrowserWindow, parts: WindowParts): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isOwn(event.url, parts.origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) =>
    isOwn(url, parts.origin)
      ? { action: 'allow', overrideBrowserWindowConstructorOptions: optionsOf(parts) }
      : { action: 'deny' },
  );
  contents.on('did-create-window', (opened) => equip(opened, parts));
}

/** Files are not among the topics: Electron asks for their name and saves them. */
function handlersOf(window: BrowserWindow): Handlers<CsTopics> {
  const handlers: Handlers<CsTopics> = {
    'system/info': () => ({
      bridge: BRIDGE_VERSIONS.max,
      shell: { name: 'vedette-electron', version: app.getVersion(), platform: process.platform },
      topics: [...Object.keys(handlers), ...TOPICS.web.map(({ name }) => name)],
      native: { codecs: [], overlay: 'none' },
    }),
    'account/status': () => ({}),
    'language/current': () => ({}),
    'window/current': () => ({}),
    // A notice of an alarm was chosen; the page shows it by the browser's own Notification.
    'window/raise': () => {
      raise(window);
      return {};
    },
    // The registry lets `https` alone through.
    'link/open': async ({ url }) => {
      await shell.openExternal(url);
      return {};
    },
  };
  return handlers;
}
