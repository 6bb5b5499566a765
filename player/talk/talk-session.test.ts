// Tests of a talk's session: which way the audio goes, through the socket or by WebRTC, and that one replaces the other.
// @vitest-environment happy-dom
import type { TalkNotice } from '@vedette/contract/talk-wire.ts';
import { afterEach, expect, test } from 'vitest';
import type { TalkPeerOptions } from './talk-peer.ts';
import { TalkSession, type TalkState } from './talk-session.ts';

const RATE = 8000;
const TRACK = {} as MediaStreamTrack;

let session: TalkSession | null = null;
afterEach(() => session?.close());

class FakeSocket {
  readonly readyState = WebSocket.OPEN;
  readonly bufferedAmount = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  isClosed = false;
  readonly texts: unknown[] = [];
  bytes = 0;

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') this.texts.push(JSON.parse(data));
    else this.bytes += data.length;
  }

  close(): void {
    this.isClosed = true;
  }

  tell(notice: TalkNotice): void {
    this.onmessage?.({ data: JSON.stringify(notice) });
  }
}

async function talking(canOpenPeer = true) {
  const socket = new FakeSocket();
  const states: TalkState[] = [];
  const answers: (string | null)[] = [];
  const peer: { options?: TalkPeerOptions; closed: number } = { closed: 0 };
  const microphone: { speak?: (samples: Float32Array) => void } = {};
  session = new TalkSession({
    openMicrophone: (onSound) => {
      microphone.speak = onSound;
      return Promise.resolve({ rate: RATE, track: TRACK, close: () => undefined });
    },
    askAddress: () => Promise.resolve({ url: 'ws://site/media/talk#ticket', codec: 'pcma' }),
    openSocket: () => socket as unknown as WebSocket,
    openPeer: (options) => {
      if (!canOpenPeer) return null;
      peer.options = options;
      return { answer: (sdp) => answers.push(sdp), close: () => (peer.closed += 1) };
    },
    onState: (state) => states.push(state),
  });
  await expect.poll(() => socket.onopen).not.toBeNull();
  socket.onopen?.();
  socket.tell({ type: 'ready', codec: 'pcma' });
  /** Bytes that a second of speech put on the socket. */
  const speak = (): number => {
    const before = socket.bytes;
    microphone.speak?.(new Float32Array(RATE).fill(0.1));
    return socket.bytes - before;
  };
  return { socket, states, answers, peer, speak };
}

test('[LV-04] the socket carries the audio until WebRTC is connected, and again once that is lost', async () => {
  const { socket, states, answers, peer, speak } = await talking();
  expect(peer.options).toMatchObject({ track: TRACK, codec: 'pcma' });
  peer.options?.onOffer('v=0 offer');
  expect(socket.texts).toEqual([
    { type: 'open', ticket: 'ticket' },
    { type: 'offer', sdp: 'v=0 offer' },
  ]);
  expect(speak()).toBeGreaterThan(RATE * 0.9);
  socket.tell({ type: 'answer', sdp: 'v=0 answer' });
  expect(answers).toEqual(['v=0 answer']);
  peer.options?.onDirect(true);
  expect(states.at(-1)).toMatchObject({ kind: 'talking', isDirect: true });
  expect(speak()).toBe(0);
  socket.tell({ type: 'answer', sdp: null });
  expect(answers.at(-1)).toBeNull();
  peer.options?.onDirect(false);
  expect(states.at(-1)).toMatchObject({ kind: 'talking', isDirect: false });
  expect(speak()).toBeGreaterThan(RATE * 0.9);
});

test('a browser without WebRTC talks through the socket alone', async () => {
  const { socket, speak } = await talking(false);
  expect(speak()).toBeGreaterThan(RATE * 0.9);
  expect(socket.texts).toEqual([{ type: 'open', ticket: 'ticket' }]);
});

test('the end of the talk closes both ways', async () => {
  const { socket, states, peer } = await talking();
  socket.tell({ type: 'end', code: 1018, userName: 'anna' });
  expect(states.at(-1)).toEqual({ kind: 'ended', because: { kind: 'code', code: 1018, userName: 'anna' } });
  expect([socket.isClosed, peer.closed]).toEqual([true, 1]);
});
