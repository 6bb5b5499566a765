// Entry of the decoder worker: dispatches each message to the decoder of its tile.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { DecoderOrder, DecoderReport } from './decoder-messages.ts';
import { FrameDecoder } from './frame-decoder.ts';

/** The part of a dedicated worker's scope that is used; the page's own types stand in for the rest. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<DecoderOrder>) => void) | null;
  postMessage(report: DecoderReport): void;
}

const scope = globalThis as unknown as WorkerScope;
const decoders = new Map<number, FrameDecoder>();
const report = (message: DecoderReport): void => scope.postMessage(message);
const now = (): number => performance.timeOrigin + performance.now();

scope.onmessage = ({ data: order }) => {
  const { slot } = order;
  try {
    serve(order);
  } catch (error) {
    report({ type: 'fault', slot, message: errorMessage(error) });
  }
};

function serve(order: DecoderOrder): void {
  const { slot } = order;
  const decoder = decoders.get(slot);
  switch (order.type) {
    case 'open':
      decoders.set(slot, new FrameDecoder({ ...order, now, report }));
      break;
    case 'init':
      decoder?.takeInit(order.bytes);
      break;
    case 'fragment':
      decoder?.takeFragment(order);
      break;
    case 'gap':
      decoder?.expectGap();
      break;
    case 'close':
      decoder?.close();
      decoders.delete(slot);
      break;
  }
}
