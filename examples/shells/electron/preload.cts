// The preload: gives the page two functions and nothing of Electron. It runs in the sandbox, in the top frame, before any script of the page.
const { contextBridge, ipcRenderer } = require('electron') as typeof import('electron');

/** `ipc-transport.ts` has the same names: a sandboxed preload loads no file beside it. */
const channels = { toShell: 'vedette:to-shell', toPage: 'vedette:to-page' } as const;

contextBridge.exposeInMainWorld('vedetteElectron', {
  send: (json: unknown): void => {
    if (typeof json === 'string') ipcRenderer.send(channels.toShell, json);
  },
  listen: (take: (json: string) => void): (() => void) => {
    const hear = (_event: object, json: unknown): void => take(String(json));
    ipcRenderer.on(channels.toPage, hear);
    return () => ipcRenderer.off(channels.toPage, hear);
  },
});
