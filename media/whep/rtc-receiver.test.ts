// Tests of a talker in the WebRTC worker, with a werift client: its samples arrive unchanged, other offers are refused.
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift';
import { afterEach, expect, test } from 'vitest';
import { RTC_AUDIO } from './rtc-connection.ts';
import type { FromRtcWorker, RtcTalkCodec } from './rtc-messages.ts';
import { RtcReceiver } from './rtc-receiver.ts';

const FRAME_BYTES = 160;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

class Client {
  readonly track = new MediaStreamTrack({ kind: 'audio' });
  readonly peer: RTCPeerConnection;
  readonly #payloadType: number;

  constructor(codec: RtcTalkCodec) {
    this.#payloadType = RTC_AUDIO[codec].payloadType ?? 0;
    const codecs = { audio: [new RTCRtpCodecParameters(RTC_AUDIO[codec])] };
    this.peer = new RTCPeerConnection({ iceServers: [], codecs });
    open.push(this.peer);
    this.peer.addTransceiver(this.track, { direction: 'sendonly' });
  }

  async offer(): Promise<string> {
    const offer = await this.peer.createOffer();
    for (const { connection } of this.peer.iceTransports) delete connection.stunServer;
    await this.peer.setLocalDescription(offer);
    return this.peer.localDescription?.sdp ?? '';
  }

  /** A frame filled with its number. */
  send(sequenceNumber: number, fill: number): void {
    const payloadType = this.#payloadType;
    const header = new RtpHeader({ payloadType, sequenceNumber, timestamp: sequenceNumber * FRAME_BYTES, ssrc: 7 });
    this.track.writeRtp(new RtpPacket(header, Buffer.alloc(FRAME_BYTES, fill)));
  }
}

function receiver(codec: RtcTalkCodec): { receiver: RtcReceiver; told: FromRtcWorker[]; audio: () => number[] } {
  const told: FromRtcWorker[] = [];
  const made = new RtcReceiver({ id: 1, codec, tell: (message) => told.push(message) });
  open.push(made);
  const audio = (): number[] =>
    told.flatMap((one) => (one.type === 'audio' ? [one.audio.length === FRAME_BYTES ? (one.audio[0] ?? -1) : -1] : []));
  return { receiver: made, told, audio };
}

test.each(['pcmu', 'pcma'] as const)('[LV-04] samples of a talker arrive unchanged and in order: %s', async (codec) => {
  const client = new Client(codec);
  const site = receiver(codec);
  const answer = await site.receiver.answer(await client.offer());
  expect(answer).toContain('a=recvonly');
  await client.peer.setRemoteDescription({ type: 'answer', sdp: answer });
  await expect.poll(() => client.peer.connectionState, { timeout: 8000 }).toBe('connected');
  // Across the end of the numbers; what comes again is dropped.
  for (const [n, fill] of [1, 2, 3].entries()) client.send((65_534 + n) & 0xffff, fill);
  await expect.poll(site.audio, { timeout: 5000 }).toEqual([1, 2, 3]);
  client.send(65_535, 2);
  client.send(1, 4);
  await expect.poll(site.audio, { timeout: 5000 }).toEqual([1, 2, 3, 4]);
  site.receiver.close();
  expect(site.told.at(-1)).toEqual({ type: 'closed', id: 1 });
}, 20_000);

test('[LV-04] an offer of another codec, or of nothing, is refused', async () => {
  await expect(receiver('pcma').receiver.answer(await new Client('pcmu').offer())).rejects.toThrow(Error);
  await expect(receiver('pcma').receiver.answer('v=0 nonsense')).rejects.toThrow(Error);
}, 20_000);
