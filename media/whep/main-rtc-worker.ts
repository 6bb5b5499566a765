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
  const { id } = message;
  if (message.type === 'open') {
    const viewer = new RtcSession({ id, audio: message.audio, tell });
    viewers.set(id, viewer);
    void describe(id, viewer, viewer.answer(message.offer));
  } else if (message.type === 'receive') {
    const talker = new RtcReceiver({ id, codec: message.codec, tell });
    talkers.set(id, talker);
    void describe(id, talker, talker.answer(message.offer));
  } else if (message.type === 'frames') {
    const { buffer, byteOffset, byteLength } = message.frames;
    viewers.get(id)?.send(Buffer.from(buffer, byteOffset, byteLength));
  } else if (message.type === 'offer') {
    const server = new RtcSession({ id, audio: message.audio, video: message.video, tell });
    viewers.set(id, server);
    void describe(id, server, server.offer());
  } else if (message.type === 'accept') {
    const server = viewers.get(id);
    server?.accept(message.answer).catch(() => refuse(id, server));
  } else if (message.type === 'tracks') viewers.get(id)?.sendTracks(message.text);
  else (viewers.get(id) ?? talkers.get(id))?.close();
});

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
