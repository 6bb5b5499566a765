// The embedder's side of a framed page: it hands the frame one end of a channel, and sends and hears by the other.
import { PORT_WORD } from './frame-transport.ts';
import type { Transport } from './transport.ts';

/** The part of a window that is used. */
export interface FramedWindow {
  postMessage(message: string, targetOrigin: string, transfer: Transferable[]): void;
}

/** Once for each load of the frame. `origin`: of the page inside; the browser gives the port to no other. */
export function embedderTransport(frame: FramedWindow, origin: string): Transport {
  const { port1: own, port2: given } = new MessageChannel();
  frame.postMessage(PORT_WORD, origin, [given]);
  return {
    isOwn: true,
    send: (json) => own.postMessage(json),
    onMessage: (take) => {
      own.onmessage = ({ data }: MessageEvent) => take(data);
      return () => own.close();
    },
  };
}
