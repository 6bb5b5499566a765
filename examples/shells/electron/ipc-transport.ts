// The transport of the main process: messages of one window's top document, as long as that is of the shell's own server.
import type { Transport } from '@vedette/bridge';
import type { IpcMainEvent, WebContents, WebFrameMain } from 'electron';

/** The preload has the same names. */
const CHANNELS = { toShell: 'vedette:to-shell', toPage: 'vedette:to-page' } as const;

/** Every message is judged by the frame that sent it: what the window showed when it was opened says nothing about now. */
export function ipcTransport(contents: WebContents, origin: string): Transport {
  const isOwnTop = (frame: WebFrameMain | null): boolean =>
    frame !== null && frame.parent === null && frame.origin === origin;
  return {
    isOwn: true,
    send: (json) => {
      if (contents.isDestroyed() || !isOwnTop(contents.mainFrame)) return;
      contents.mainFrame.send(CHANNELS.toPage, json);
    },
    onMessage: (take) => {
      const hear = ({ senderFrame }: IpcMainEvent, json: unknown): void => {
        if (isOwnTop(senderFrame) && typeof json === 'string') take(json);
      };
      contents.ipc.on(CHANNELS.toShell, hear);
      return () => {
        if (!contents.isDestroyed()) contents.ipc.off(CHANNELS.toShell, hear);
      };
    },
  };
}
