// Entry of the WebRTC worker: a separate thread, since a viewer costs thirty times as much as over WebSocket and UDP input is untrusted.
import { parentPort } from 'node:worker_threads';
import type { FromRtcWorker, ToRtcWorker } from './rtc-messages.ts';
import { RtcSession } from './rtc-session.ts';

if (!parentPort) throw new Error('the WebRTC worker runs as a thread');
const port = parentPort;
const sessions = new Map<number, RtcSession>();
const tell = (message: FromRtcWorker): void => {
  if (message.type === 'closed') sessions.delete(message.id);
  port.postMessage(message);
};

port.on('message', (message: ToRtcWorker) => {
  const { id } = message;
  if (message.type === 'open') void open(message);
  else if (message.type === 'frames') {
    const { buffer, byteOffset, byteLength } = message.frames;
    sessions.get(id)?.send(Buffer.from(buffer, byteOffset, byteLength));
  } else sessions.get(id)?.close();
});

async function open({ id, offer, audio }: Extract<ToRtcWorker, { type: 'open' }>): Promise<void> {
  const session = new RtcSession({ id, audio, tell });
  sessions.set(id, session);
  try {
    tell({ type: 'answer', id, answer: await session.answer(offer) });
  } catch {
    // Any error of an untrusted offer only refuses the offer.
    tell({ type: 'refused', id });
    session.close();
  }
}

// An error of one viewer must not end the thread.
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
