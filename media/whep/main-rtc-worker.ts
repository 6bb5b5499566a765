// Entry of the WebRTC worker: a separate thread, since a viewer costs thirty times as much as over WebSocket and UDP input is untrusted.
import { parentPort } from 'node:worker_threads';
import type { FromRtcWorker, ToRtcWorker } from './rtc-messages.ts';
import { RtcReceiver } from './rtc-receiver.ts';
import { RtcSession } from './rtc-session.ts';

if (!parentPort) throw new Error('the WebRTC worker runs as a thread');
const port = parentPort;
const viewers = new Map<number, RtcSession>();
const talkers = new Map<number, RtcReceiver>();
const tell = (message: FromRtcWorker): void => {
  if (message.type === 'closed') {
    viewers.delete(message.id);
    talkers.delete(message.id);
  }
  port.postMessage(message);
};

port.on('message', (message: ToRtcWorker) => {
  if (message.type === 'open' || message.type === 'offer' || message.type === 'receive') begin(message);
  else tellPeer(message);
});

type Beginning = Extract<ToRtcWorker, { type: 'open' | 'offer' | 'receive' }>;

function begin(message: Beginning): void {
  const { id } = message;
  if (message.type === 'receive') {
    const talker = new RtcReceiver({ id, codec: message.codec, tell });
    talkers.set(id, talker);
    void describe(id, talker, talker.answer(message.offer));
    return;
  }
  const { audio } = message;
  const session = new RtcSession({ id, audio, tell, ...(message.type === 'offer' && { video: message.video }) });
  viewers.set(id, session);
  void describe(id, session, message.type === 'offer' ? session.offer() : session.answer(message.offer));
}

function tellPeer(message: Exclude<ToRtcWorker, Beginning>): void {
  const { id } = message;
  const viewer = viewers.get(id);
  if (message.type === 'close') (viewer ?? talkers.get(id))?.close();
  else if (message.type === 'tracks') viewer?.sendTracks(message.text);
  else if (message.type === 'accept') viewer?.accept(message.answer).catch(() => refuse(id, viewer));
  else {
    const { buffer, byteOffset, byteLength } = message.frames;
    viewer?.send(Buffer.from(buffer, byteOffset, byteLength));
  }
}

async function describe(id: number, peer: RtcSession | RtcReceiver, described: Promise<string>): Promise<void> {
  try {
    tell({ type: 'described', id, description: await described });
  } catch {
    refuse(id, peer);
  }
}

/** Any error of an untrusted description only refuses it. */
function refuse(id: number, peer: RtcSession | RtcReceiver): void {
  tell({ type: 'refused', id });
  peer.close();
}

// An error of one peer must not end the thread.
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
