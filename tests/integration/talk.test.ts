// Two-way talk below the server: a page's audio through the site to the camera's loudspeaker, and every way it ends.
import { once } from 'node:events';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { TALK_FRAME_BYTES, type TalkCodec, type TalkNotice } from '@vedette/contract/talk-wire.ts';
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift';
import { WebSocket } from 'ws';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

interface Heard {
  readonly isOpen: boolean;
  readonly packets: number;
  readonly samples: number;
  readonly lost: number;
  readonly foreign: number;
  readonly spurts: number;
  readonly level: number;
  readonly pitchHz: number;
  readonly longestGapMs: number;
  readonly heardMs: number;
  readonly soundMs: number;
}

const TONE_HZ = 440;

let site: SiteProcess;
let virtual: VirtualSite;
/** Takes u-law, takes A-law, has no loudspeaker. */
let [gate, lobby, mute]: DeviceAssignment[] = [];
const talkers: Talker[] = [];
const peers: RTCPeerConnection[] = [];
const timers: NodeJS.Timeout[] = [];

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const cameras = virtual.devices.filter((one) => one.kind === 'camera');
  const named = (name: string) => cameras.find((one) => one.name === name) as VirtualDevice;
  [gate, lobby, mute] = await Promise.all(['Gate House', 'Main Lobby', 'Car Park'].map(named).map(assignmentOf));
  const devices = [gate, lobby, mute] as DeviceAssignment[];
  await site.ok('assign', { devices, settings: site.settings });
});

afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const talker of talkers.splice(0)) talker.hangUp();
});

afterAll(async () => {
  await Promise.all(peers.map((peer) => peer.close()));
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function assignmentOf({ target, user, password }: VirtualDevice): Promise<DeviceAssignment> {
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const channels = [{ channelNo: 1, channelId: `talk${deviceSerial}`, record: null, backfillFrom: null }];
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

function serialOf(device: DeviceAssignment | undefined): string {
  return device?.deviceSerial ?? '';
}

async function heardBy(device: DeviceAssignment | undefined): Promise<Heard> {
  const answer = await fetch(`${virtual.controlUrl}/state`);
  const { devices } = (await answer.json()) as { devices: { serial: string; heard: Record<string, Heard> }[] };
  const heard = devices.find(({ serial }) => serial === serialOf(device))?.heard['1'];
  if (!heard) throw new Error('the camera has no ear');
  return heard;
}

async function command(device: DeviceAssignment | undefined, name: string, input: object = {}): Promise<void> {
  const url = `${virtual.controlUrl}/devices/${serialOf(device)}/${name}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(input) });
  expect(answer.status).toBe(200);
}

function toneFrom(from: number): Int16Array {
  return Int16Array.from({ length: TALK_FRAME_BYTES }, (_, n) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * TONE_HZ * (from + n)) / 8000)),
  );
}

/** A page that talks: sends a tone in real time once the device listens. */
class Talker {
  readonly notices: TalkNotice[] = [];
  isClosed = false;
  readonly socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #startedAt = 0;
  isSpeaking = true;

  constructor(ticket: string, codec: TalkCodec) {
    this.socket = new WebSocket(`ws+unix://${site.socketPath}:/media/talk`);
    this.socket.on('open', () => this.socket.send(JSON.stringify({ type: 'open', ticket })));
    this.socket.on('message', (data) => this.notices.push(JSON.parse(String(data)) as TalkNotice));
    this.socket.on('close', () => {
      this.isClosed = true;
    });
    // In bursts of 60 ms, as networks deliver.
    this.#timer = setInterval(() => this.#speak(codec), 60);
  }

  static async open(device: DeviceAssignment | undefined, codec: TalkCodec, user = 'anna'): Promise<Talker> {
    const about = { deviceSerial: serialOf(device), channelNo: 1, userId: user, userName: user, ticketId: `t-${user}` };
    const talker = new Talker(await site.ticket({ kind: 'talk', ...about }), codec);
    talkers.push(talker);
    return talker;
  }

  get end(): Extract<TalkNotice, { type: 'end' }> | undefined {
    return this.notices.find((notice) => notice.type === 'end');
  }

  get isReady(): boolean {
    return this.notices.some(({ type }) => type === 'ready');
  }

  /** Cuts the line without a word. */
  vanish(): void {
    clearInterval(this.#timer);
    this.socket.terminate();
  }

  hangUp(): void {
    clearInterval(this.#timer);
    this.socket.close();
  }

  #speak(codec: TalkCodec): void {
    if (!this.isReady || this.isClosed || !this.isSpeaking) return;
    this.#startedAt ||= performance.now();
    const due = Math.floor((performance.now() - this.#startedAt) / 20);
    for (; this.#sent < due; this.#sent += 1) {
      const from = this.#sent * TALK_FRAME_BYTES;
      this.socket.send(encodeG711(codec, toneFrom(from)));
    }
  }
}

it.each([
  ['u-law', 'pcmu', () => gate],
  ['A-law', 'pcma', () => lobby],
] as const)('[LV-04] the camera receives the whole tone at its rate: %s', async (_law, codec, device) => {
  const asked = await site.ok('talk', { deviceSerial: serialOf(device()), channelNo: 1, userId: 'anna' });
  expect(asked).toEqual({ codec });
  const talker = await Talker.open(device(), codec);
  const heard = await waitFor('two seconds of sound', async () => {
    const now = await heardBy(device());
    return now.samples >= 16_000 && now;
  });
  expect(talker.notices).toEqual([{ type: 'ready', codec }]);
  expect(heard).toMatchObject({ isOpen: true, lost: 0, foreign: 0 });
  expect(heard.pitchHz).toBeCloseTo(TONE_HZ, -1);
  expect(heard.level).toBeGreaterThan(0.2);
  expect(Math.abs(heard.soundMs - heard.heardMs)).toBeLessThan(200);
  talker.hangUp();
  await waitFor('the line to be free', async () => !(await heardBy(device())).isOpen);
});

it('[LV-04] one talker: others are told who talks, the same account takes over from its other page', async () => {
  const anna = await Talker.open(gate, 'pcmu', 'anna');
  await waitFor('Anna to talk', () => anna.isReady);
  const about = { deviceSerial: serialOf(gate), channelNo: 1 };
  expect(await site.call('talk', { ...about, userId: 'ben' })).toEqual({ code: 1018, data: { userName: 'anna' } });
  const ben = await Talker.open(gate, 'pcmu', 'ben');
  await waitFor('Ben to be refused', () => ben.isClosed);
  expect(ben.notices).toEqual([{ type: 'end', code: 1018, userName: 'anna' }]);
  expect(anna.end).toBeUndefined();
  const again = await Talker.open(gate, 'pcmu', 'anna');
  await waitFor('the first page to be told', () => anna.isClosed);
  expect(anna.end).toEqual({ type: 'end', code: 1018, userName: 'anna' });
  await waitFor('the second page to talk', () => again.isReady);
  again.hangUp();
  await waitFor('the line to be free', async () => !(await heardBy(gate)).isOpen);
  const free = await Talker.open(gate, 'pcmu', 'ben');
  await waitFor('Ben to talk', () => free.isReady);
});

const PAYLOAD_TYPE = { pcma: 8, pcmu: 0 } as const;

interface DirectTalk {
  readonly talker: Talker;
  /** Sends the tone by WebRTC in real time; stopped with the function. */
  speak(): () => void;
}

/** Offers the codec by WebRTC once the device listens; the socket carries the tone until that is connected. */
async function offerAudio(device: DeviceAssignment | undefined, codec: TalkCodec, user = 'anna'): Promise<DirectTalk> {
  const talker = await Talker.open(device, codec, user);
  await waitFor('the device to listen', () => talker.isReady);
  const payloadType = PAYLOAD_TYPE[codec];
  const facts = { mimeType: `audio/${codec.toUpperCase()}`, clockRate: 8000, channels: 1, payloadType };
  const peer = new RTCPeerConnection({ iceServers: [], codecs: { audio: [new RTCRtpCodecParameters(facts)] } });
  peers.push(peer);
  const track = new MediaStreamTrack({ kind: 'audio' });
  peer.addTransceiver(track, { direction: 'sendonly' });
  const offer = await peer.createOffer();
  // Without a server werift would ask a public STUN server.
  for (const { connection } of peer.iceTransports) delete connection.stunServer;
  await peer.setLocalDescription(offer);
  talker.socket.send(JSON.stringify({ type: 'offer', sdp: peer.localDescription?.sdp ?? '' }));
  const answer = await waitFor('the answer', () => talker.notices.find((notice) => notice.type === 'answer'));
  if (answer.sdp !== null) {
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
    await waitFor('the connection', () => peer.connectionState === 'connected');
  }
  talker.isSpeaking = false;
  return { talker, speak: () => speakTone(track, codec) };
}

function speakTone(track: MediaStreamTrack, codec: TalkCodec): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = Math.floor((performance.now() - startedAt) / 20); sent < due; sent += 1) {
      const timestamp = sent * TALK_FRAME_BYTES;
      const sequenceNumber = (65_500 + sent) & 0xffff;
      const header = new RtpHeader({ payloadType: PAYLOAD_TYPE[codec], sequenceNumber, timestamp, ssrc: 7 });
      track.writeRtp(new RtpPacket(header, Buffer.from(encodeG711(codec, toneFrom(timestamp)))));
    }
  }, 20);
  timers.push(timer);
  return () => clearInterval(timer);
}

it.each([
  ['u-law', 'pcmu', () => gate],
  ['A-law', 'pcma', () => lobby],
] as const)('[LV-04] by WebRTC the camera receives the whole tone as well: %s', async (_law, codec, device) => {
  const { talker, speak } = await offerAudio(device(), codec);
  const before = (await heardBy(device())).samples;
  const stop = speak();
  const heard = await waitFor('two seconds of sound', async () => {
    const now = await heardBy(device());
    return now.samples - before >= 16_000 && now;
  });
  expect(heard).toMatchObject({ isOpen: true, foreign: 0 });
  expect(heard.pitchHz).toBeCloseTo(TONE_HZ, -1);
  expect(heard.level).toBeGreaterThan(0.2);
  // Others are told who talks, whichever way the audio comes.
  const ben = await Talker.open(device(), codec, 'ben');
  await waitFor('Ben to be refused', () => ben.isClosed);
  expect(ben.notices).toEqual([{ type: 'end', code: 1018, userName: 'anna' }]);
  // Whoever falls silent is told to continue through the socket, and then loses the line.
  stop();
  await waitFor('the end', () => talker.isClosed);
  expect(talker.notices.slice(-2)).toEqual([
    { type: 'answer', sdp: null },
    { type: 'end', code: 200 },
  ]);
});

it('[SE-33] a withdrawn right ends a talk by WebRTC within two seconds, and nothing more is heard of it', async () => {
  const { talker, speak } = await offerAudio(gate, 'pcmu', 'guest');
  speak();
  const before = (await heardBy(gate)).samples;
  await waitFor('sound', async () => (await heardBy(gate)).samples > before + 4000);
  const revokedMs = performance.now();
  await site.ok('revoke', { ticketIds: ['t-guest'], code: 1017 });
  await waitFor('the end', () => talker.isClosed);
  await waitFor('the line to be free', async () => !(await heardBy(gate)).isOpen);
  expect(performance.now() - revokedMs).toBeLessThan(2000);
  expect(talker.end).toEqual({ type: 'end', code: 1017 });
});

it('[LV-04] an offer of another codec or of nonsense is answered with none, and audio goes through the socket', async () => {
  const { talker } = await offerAudio(gate, 'pcma');
  expect(talker.notices.at(-1)).toEqual({ type: 'answer', sdp: null });
  talker.hangUp();
  await waitFor('the line to be free', async () => !(await heardBy(gate)).isOpen);
  const other = await Talker.open(gate, 'pcmu');
  await waitFor('the talk', () => other.isReady);
  const before = (await heardBy(gate)).samples;
  other.socket.send(JSON.stringify({ type: 'offer', sdp: 'v=0 nonsense' }));
  await waitFor('the answer', () => other.notices.some(({ type }) => type === 'answer'));
  expect(other.notices.at(-1)).toEqual({ type: 'answer', sdp: null });
  await waitFor('sound', async () => (await heardBy(gate)).samples > before + 4000);
  other.socket.send(JSON.stringify({ type: 'offer', sdp: 'v=0 a second one' }));
  await waitFor('the end', () => other.isClosed);
  expect(other.end).toEqual({ type: 'end', code: 1003 });
});

it('[FT-46] a page that disconnects or falls silent frees the camera within two seconds', async () => {
  const gone = await Talker.open(lobby, 'pcma');
  await waitFor('the talk', () => gone.isReady);
  const vanishedMs = performance.now();
  gone.vanish();
  await waitFor('the line to be free', async () => !(await heardBy(lobby)).isOpen);
  expect(performance.now() - vanishedMs).toBeLessThan(2000);
  const silent = await Talker.open(lobby, 'pcma');
  await waitFor('the talk', () => silent.isReady);
  silent.isSpeaking = false;
  const silentMs = performance.now();
  await waitFor('the end', () => silent.isClosed);
  expect(silent.end).toEqual({ type: 'end', code: 200 });
  expect(performance.now() - silentMs).toBeLessThan(2500);
});

it('[SE-33] a withdrawn right ends the talk within two seconds, with its code', async () => {
  const talker = await Talker.open(gate, 'pcmu', 'guest');
  await waitFor('the talk', () => talker.isReady);
  const revokedMs = performance.now();
  await site.ok('revoke', { ticketIds: ['t-guest'], code: 1017 });
  await waitFor('the end', () => talker.isClosed);
  await waitFor('the line to be free', async () => !(await heardBy(gate)).isOpen);
  expect(performance.now() - revokedMs).toBeLessThan(2000);
  expect(talker.end).toEqual({ type: 'end', code: 1017 });
});

it('no loudspeaker is 1006, a refusing camera 2316, a silent one 2317', async () => {
  const ask = (device: DeviceAssignment | undefined) =>
    site.call('talk', { deviceSerial: serialOf(device), channelNo: 1, userId: 'anna' });
  expect((await ask(mute)).code).toBe(1006);
  await command(gate, 'rtsp-fault', { kind: 'status', status: 503, reason: 'Busy', method: 'DESCRIBE' });
  expect(await ask(gate)).toMatchObject({ code: 2316, data: { reason: 'fault' } });
  await command(gate, 'rtsp-fault', { kind: 'silence', method: 'DESCRIBE' });
  expect(await ask(gate)).toMatchObject({ code: 2317, data: { reason: 'timeout' } });
  // The same on the page's socket, where the camera changes its mind.
  await command(gate, 'rtsp-fault', { kind: 'status', status: 453, reason: 'Not Enough Bandwidth', method: 'PLAY' });
  const talker = await Talker.open(gate, 'pcmu');
  await waitFor('the refusal', () => talker.isClosed);
  expect(talker.notices).toEqual([{ type: 'end', code: 2316, reason: 'fault' }]);
});

it('[SE-44] only a talk ticket opens talk, and only once', async () => {
  const about = { deviceSerial: serialOf(gate), channelNo: 1 };
  const live = new Talker(await site.ticket({ kind: 'live', ...about }), 'pcmu');
  const none = new Talker('no_such_ticket_anywhere', 'pcmu');
  talkers.push(live, none);
  await waitFor('both to be refused', () => live.isClosed && none.isClosed);
  expect([live.end?.code, none.end?.code]).toEqual([1004, 1001]);
  const ticket = await site.ticket({ kind: 'talk', ...about, userName: 'anna' });
  const first = new Talker(ticket, 'pcmu');
  talkers.push(first);
  await waitFor('the talk', () => first.isReady);
  const second = new Talker(ticket, 'pcmu');
  talkers.push(second);
  await waitFor('the refusal', () => second.isClosed);
  expect([second.end?.code, first.end]).toEqual([1004, undefined]);
});

it('[SE-48] a page of another origin talks with a ticket that names it, and with no other', async () => {
  const origin = 'https://portal.example';
  const about = { deviceSerial: serialOf(gate), channelNo: 1, userId: 'anna', userName: 'anna' };
  const firstNotice = async (more: { readonly pageOrigin?: string }): Promise<unknown> => {
    const ticket = await site.ticket({ kind: 'talk', ...about, ...more });
    const socket = new WebSocket(`ws+unix://${site.socketPath}:/media/talk`, { origin });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'open', ticket })));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.close();
    return JSON.parse(String(data));
  };
  expect(await firstNotice({})).toMatchObject({ type: 'end', code: 1004 });
  expect(await firstNotice({ pageOrigin: 'https://elsewhere.example' })).toMatchObject({ type: 'end', code: 1004 });
  expect(await firstNotice({ pageOrigin: origin })).toMatchObject({ type: 'ready' });
});
