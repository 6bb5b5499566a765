// Proves media over UDP on real sockets: our client and our server together, what each refuses, and how the client changes over.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { writeRtpHeader } from '../rtp/packet.ts';
import { readSenderReport, writeSenderReport } from '../rtp/rtcp.ts';
import { openRtspSession, type RtspSession, type RtspSessionOptions } from './client.ts';
import type { Sdp } from '../sdp/sdp.ts';
import { openDatagramPair } from './datagram-pair.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { dialDirect } from './dial.ts';
import { writeInterleavedHeader } from './message.ts';
import { ScriptedDevice, SCRIPTED_SDP, wellBehaved } from './scripted-device.fake.ts';
import { RtspServer } from './server/server.ts';
import type { RtspMount, RtspSender } from './server/server-mount.ts';

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

async function play(url: string, options: Partial<RtspSessionOptions> = {}) {
  const packets: { track: number; text: string; lost: number }[] = [];
  const reports: number[] = [];
  const session = await openRtspSession({
    url,
    credentials: null,
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => 'abcdef',
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media,
    sink: {
      packet: (track, header, buffer, lost) =>
        packets.push({ track, lost, text: buffer.toString('latin1', header.payloadStart, header.payloadEnd) }),
      senderReport: (track) => reports.push(track),
      bye: () => undefined,
    },
    onEnded: () => undefined,
    ...options,
  });
  cleanUps.push(() => session.close());
  await session.play();
  return { session, packets, reports };
}

function rtp(text: string, sequence: number, ssrc = 7, payloadType = 96): Buffer {
  const packet = Buffer.alloc(12 + text.length);
  writeRtpHeader(packet, 0, { payloadType, marker: true, sequence, timestamp: 1, ssrc });
  packet.write(text, 12, 'latin1');
  return packet;
}

function framed(channel: number, packet: Buffer): Buffer {
  const frame = Buffer.alloc(4 + packet.length);
  writeInterleavedHeader(frame, 0, channel, packet.length);
  packet.copy(frame, 4);
  return frame;
}

class TwoTracks implements RtspMount {
  readonly controls = ['trackID=0', 'trackID=1'];
  readonly backChannel = {
    control: 'trackID=2',
    sdp: () => SCRIPTED_SDP,
    hear: (packet: Buffer) => this.heard(packet),
  };
  readonly said: string[] = [];
  keysWanted = 0;
  sender: RtspSender | null = null;
  requestKeyframe(): void {
    this.keysWanted += 1;
  }
  private heard(packet: Buffer): void {
    this.said.push(packet.toString('latin1', 12));
  }
  sdp(): string {
    return SCRIPTED_SDP;
  }
  play(sender: RtspSender) {
    this.sender = sender;
    return { range: undefined, starts: [], stop: () => undefined };
  }
}

async function serve(timeout = 60): Promise<{ url: string; mount: TwoTracks }> {
  const mount = new TwoTracks();
  const server = new RtspServer({
    authentication: { realm: 'r', schemes: () => [], passwordOf: () => null },
    serverName: 'test',
    mountOf: (path) => (path === '/a' ? mount : null),
    udpPorts: 'any',
    timeoutSeconds: () => timeout,
  });
  const port = await server.listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  return { url: `rtsp://127.0.0.1:${port}/a`, mount };
}

test('our server and our client meet over UDP: media, sender reports, and receiver reports that keep the session', async () => {
  const { url, mount } = await serve();
  const { session, packets, reports } = await play(`${url}#transport=udp`);
  expect(session.transport).toBe('udp');
  const report = writeSenderReport({ ssrc: 7, wallMs: 1e12, rtpTime: 1, packets: 1, bytes: 1 });
  mount.sender?.send(
    Buffer.concat([framed(0, rtp('picture', 5)), framed(2, rtp('sound', 9, 8, 8)), framed(1, report)]),
  );
  await vi.waitFor(() => expect(packets).toHaveLength(2));
  expect(packets.toSorted((a, b) => a.track - b.track).map((one) => one.text)).toEqual(['picture', 'sound']);
  await vi.waitFor(() => expect(reports).toEqual([0]));
});

test.each(['tcp', 'udp'] as const)('a client requests a keyframe over %s', async (transport) => {
  const { url, mount } = await serve();
  const { session, packets } = await play(url, { transport });
  session.requestKeyframe(0);
  mount.sender?.send(framed(0, rtp('picture', 5)));
  await vi.waitFor(() => expect(packets).toHaveLength(1));
  expect(mount.keysWanted).toBe(0);
  session.requestKeyframe(0);
  await vi.waitFor(() => expect(mount.keysWanted).toBe(1));
});

test.each(['tcp', 'udp'] as const)('back channel audio of a client is received over %s', async (transport) => {
  const { url, mount } = await serve();
  const talk = (sdp: Sdp) => sdp.media.slice(0, 1).map((media) => ({ ...media, control: mount.backChannel.control }));
  const { session } = await play(url, { transport, chooseTracks: talk });
  for (const [n, word] of ['one', 'two'].entries()) session.sendMedia(0, rtp(word, n));
  await vi.waitFor(() => expect(mount.said.slice(-2)).toEqual(['one', 'two']));
});

test('UDP packets are reordered, and lost ones counted', async () => {
  const { url, mount } = await serve();
  const { session, packets } = await play(url, { transport: 'udp' });
  for (const sequence of [1, 3, 2, 6, 5]) mount.sender?.send(framed(0, rtp(String(sequence), sequence)));
  await vi.waitFor(() => expect(packets).toHaveLength(5));
  expect(packets.map((one) => one.text)).toEqual(['1', '2', '3', '5', '6']);
  expect(packets[3]?.lost).toBe(1);
  expect(session.tracks[0]?.counters).toMatchObject({ packets: 5, lost: 1, late: 0 });
});

/** A device that grants UDP from ports of its own. */
async function udpDevice(transport: (asked: string, port: number) => { status?: number; answer?: string }) {
  const pair = await openDatagramPair('127.0.0.1');
  cleanUps.push(() => pair.close());
  const asked: string[] = [];
  const device = await ScriptedDevice.listen((request) => {
    if (request.method !== 'SETUP') return wellBehaved(request);
    const offer = request.headers.get('Transport') ?? '';
    asked.push(offer);
    const { status = 200, answer = offer } = transport(offer, pair.port);
    return { status, headers: { Transport: answer, Session: '1' } };
  });
  cleanUps.push(() => device.close());
  const clientPort = (): number =>
    Number(/client_port=(\d+)/.exec(asked.find((one) => one.includes('client_port')) ?? '')?.[1]);
  return { device, pair, asked, clientPort };
}

test('a device that refuses TCP with 461 is pulled over UDP, and one that refuses UDP over TCP', async () => {
  const udpOnly = await udpDevice((asked, port) =>
    asked.includes('TCP') ? { status: 461 } : { answer: `${asked};server_port=${port}-${port + 1}` },
  );
  const { session, packets } = await play(udpOnly.device.url, { chooseTracks: (sdp) => sdp.media.slice(0, 1) });
  expect(session.transport).toBe('udp');
  udpOnly.pair.media.send(rtp('there', 1), udpOnly.clientPort(), '127.0.0.1');
  await vi.waitFor(() => expect(packets[0]?.text).toBe('there'));
  expect(udpOnly.asked.map((one) => one.split(';')[0])).toEqual(['RTP/AVP/TCP', 'RTP/AVP']);

  const tcpOnly = await udpDevice((asked) => (asked.includes('TCP') ? {} : { status: 461 }));
  const over = await play(tcpOnly.device.url, { transport: 'udp' });
  expect(over.session.transport).toBe('tcp');
  await expect(play(udpOnly.device.url, { transport: 'tcp-only' })).rejects.toMatchObject({ code: 'transport' });
});

test('sends hole-punching packets through firewalls before PLAY', async () => {
  const { device, pair } = await udpDevice((asked, port) => ({ answer: `${asked};server_port=${port}-${port + 1}` }));
  const punched = Promise.all([once(pair.media, 'message'), once(pair.control, 'message')]);
  await play(device.url, { transport: 'udp' });
  const [[packet, from]] = (await punched) as [[Buffer, { port: number }], unknown[]];
  expect(packet[0]).toBe(0x80);
  expect(from.port % 2).toBe(0);
});

async function otherSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  cleanUps.push(() => void socket.close());
  return socket;
}

test('only the device can inject packets into a stream: address, port and SSRC are checked', async () => {
  const { device, pair, clientPort } = await udpDevice((asked, port) => ({
    answer: `${asked};server_port=${port}-${port + 1};ssrc=00000007`,
  }));
  const { session, packets } = await play(device.url, {
    transport: 'udp',
    chooseTracks: (sdp) => sdp.media.slice(0, 1),
  });
  const send = (socket: Socket, packet: Buffer) =>
    new Promise<void>((resolve) => socket.send(packet, clientPort(), '127.0.0.1', () => resolve()));
  await send(pair.media, rtp('first', 1));
  await send(await otherSocket('127.0.0.2'), rtp('other address', 2));
  await send(await otherSocket('127.0.0.1'), rtp('other port', 2));
  await send(pair.media, rtp('other source', 2, 99));
  await send(pair.media, rtp('second', 2));
  await vi.waitFor(() => expect(packets.map((one) => one.text)).toEqual(['first', 'second']));
  await vi.waitFor(() => expect(session.tracks[0]?.counters.invalid).toBe(3));
});

test('receiver reports go out over UDP with loss and jitter, and over the connection as well', async () => {
  const timers: { ms: number; run: () => void }[] = [];
  const reporting = {
    ...systemClock,
    after: (ms: number, run: () => void) => {
      if (ms !== 5000) return systemClock.after(ms, run);
      timers.push({ ms, run });
      return () => undefined;
    },
  };
  const { device, pair, clientPort } = await udpDevice((asked, port) => ({
    answer: `${asked};server_port=${port}-${port + 1}`,
  }));
  const { packets } = await play(device.url, {
    transport: 'udp',
    clock: reporting,
    chooseTracks: (sdp) => sdp.media.slice(0, 1),
  });
  for (const sequence of [1, 2, 4]) pair.media.send(rtp('x', sequence), clientPort(), '127.0.0.1');
  await vi.waitFor(() => expect(packets).toHaveLength(3));
  const received: Buffer[] = [];
  pair.control.on('message', (bytes: Buffer) => received.push(bytes));
  timers.at(-1)?.run();
  const full = await vi.waitFor(() => {
    const found = received.find((bytes) => bytes[0] === 0x81);
    expect(found).toBeDefined();
    return found as Buffer;
  });
  expect(full.readUInt32BE(8)).toBe(7);
  expect(full.readUInt32BE(12)).toBe((64 << 24) | 1);
  expect(full.readUInt32BE(16)).toBe(4);
  expect(readSenderReport(full, 0, full.length)).toBeNull();
});

test('the server ends a UDP session whose client is silent', async () => {
  const { url, mount } = await serve(0.2);
  const stop = vi.fn();
  vi.spyOn(mount, 'play').mockImplementation(() => ({ range: undefined, starts: [], stop }));
  let session: RtspSession | null = null;
  ({ session } = await play(url, { transport: 'udp' }));
  await vi.waitFor(() => expect(stop).toHaveBeenCalled());
  expect(session.transport).toBe('udp');
});

test('port pairs stay within their range, even and odd, and run out with an error', async () => {
  const free = await openDatagramPair('127.0.0.1');
  const range = { from: free.port, to: free.port + 1 };
  await expect(openDatagramPair('127.0.0.1', range)).rejects.toThrow('no free pair');
  free.close();
  const again = await vi.waitFor(() => openDatagramPair('127.0.0.1', range));
  cleanUps.push(() => again.close());
  expect([again.port, again.media.address().port, again.control.address().port]).toEqual([
    free.port,
    free.port,
    free.port + 1,
  ]);
});
