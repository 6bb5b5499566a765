// The transport of an Electron preload: two functions that it exposes by `contextBridge`, which lets no object with events through.
import type { Transport } from './transport.ts';

export interface ElectronPreload {
  send(json: string): void;
  /** Returns how to stop. */
  listen(take: (json: string) => void): () => void;
}

export function electronTransport(preload: ElectronPreload): Transport {
  return {
    // The functions that listen are known to the preload alone.
    isOwn: true,
    send: (json) => preload.send(json),
    onMessage: (take) => preload.listen(take),
  };
}
