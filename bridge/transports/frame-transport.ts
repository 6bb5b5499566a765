// The transport of a page in the frame of a listed embedder: the embedder hands over a MessagePort, and everything goes through that.
import type { Transport } from './transport.ts';

export interface FramedPage {
  readonly parent: object;
  addEventListener(type: 'message', take: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', take: (event: MessageEvent) => void): void;
}

/** What the embedder's message says beside its port. */
export const PORT_WORD = 'vedette:bridge';
/** Messages that wait for the port. */
const EARLY_MAX = 64;

/** The first port of a listed embedder counts; messages of windows are heard for nothing else. `embedders`: origins. */
export function frameTransport(page: FramedPage, embedders: readonly string[]): Transport {
  let port: MessagePort | null = null;
  let early: string[] = [];
  let listener: ((value: unknown) => void) | null = null;
  const takePort = ({ source, origin, data, ports }: MessageEvent): void => {
    const [given] = ports;
    if (source !== page.parent || !embedders.includes(origin) || data !== PORT_WORD || given === undefined) return;
    page.removeEventListener('message', takePort);
    port = given;
    given.onmessage = (event: MessageEvent) => listener?.(event.data);
    for (const json of early) given.postMessage(json);
    early = [];
  };
  page.addEventListener('message', takePort);
  return {
    isOwn: true,
    send: (json) => {
      if (port !== null) port.postMessage(json);
      else if (early.length < EARLY_MAX) early.push(json);
    },
    onMessage: (take) => {
      listener = take;
      return () => {
        listener = null;
        page.removeEventListener('message', takePort);
        port?.close();
      };
    },
  };
}
