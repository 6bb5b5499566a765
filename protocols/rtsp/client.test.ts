// Proves the RTSP client against a scripted device: the order of requests, sign-in, keep-alive and the quirks of the field.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import type { RtpHeader } from '../rtp/packet.ts';
import { openRtspSession, type RtspSession, type RtspSessionOptions } from './client.ts';
import { dialDirect } from './dial.ts';
import { ROUND_MS } from './read-rounds.ts';
import { RtspError } from './rtsp-error.ts';
import { ScriptedDevice, SCRIPTED_SDP, type Script, wellBehaved } from './scripted-device.fake.ts';

/** A clock that only moves when told. */
const opened: { device: ScriptedDevice; session: RtspSession | null }[] = [];

afterEach(async () => {
  for (const { device, session } of opened.splice(0)) {
    await session?.close();
    await device.close();
  }
});

async function play(script: Script, options: Partial<RtspSessionOptions> = {}) {
  const device = await ScriptedDevice.listen(script);
  const entry = { device, session: null as RtspSession | null };
  opened.push(entry);
  const clock = new FakeClock();
  const packets: { track: number; sequence: number; lost: number; text: string }[] = [];
  const ended: RtspError[] = [];
  entry.session = await openRtspSession({
    url: device.url,
    credentials: { user: 'admin', password: 'secret' },
    dial: (request) => dialDirect(request),
    clock,
    clientNonce: () => 'abcdef',
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media,
    sink: {
      packet: (track: number, header: RtpHeader, buffer: Buffer, lost: number) => {
        packets.push({
          track,
          sequence: header.sequence,
          lost,
          text: buffer.toString('latin1', header.payloadStart, header.payloadEnd),
        });
      },
      senderReport: () => undefined,
      bye: () => undefined,
    },
    onEnded: (error) => ended.push(error),
    ...options,
  });
  await entry.session.play();
  return { device, session: entry.session, clock, packets, ended };
}

function challenge(...values: string[]): { status: number; more: [string, string][] } {
  return { status: 401, more: values.map((value) => ['WWW-Authenticate', value]) };
}

test('plays: requests in order, packets in place, gaps and restarts counted', async () => {
  const { device, session, packets } = await play(wellBehaved);
  expect(device.methods()).toEqual(['OPTIONS', 'DESCRIBE', 'SETUP', 'SETUP', 'PLAY']);
  expect(device.requests[2]?.uri).toBe(`${device.url}/trackID=0`);
  expect(device.requests[4]?.headers.get('Session')).toBe('12345');
  device.sendRtp(0, Buffer.from('one'), { timestamp: 1, marker: true });
  device.sendRtp(2, Buffer.from('sound'), { timestamp: 1, marker: false, payloadType: 8 });
  device.sendRtp(0, Buffer.from('two'), { timestamp: 2, marker: true, skip: 3 });
  await vi.waitFor(() => expect(packets).toHaveLength(3));
  expect(packets.map(({ track, lost, text }) => [track, lost, text])).toEqual([
    [0, 0, 'one'],
    [1, 0, 'sound'],
    [0, 3, 'two'],
  ]);
  expect(session.tracks[0]?.counters).toMatchObject({ packets: 2, lost: 3 });
  expect(session.server).toBe('Scripted/1.0');
});

test('signs in with the strongest of several challenges', async () => {
  const script: Script = (request) => {
    const answer = request.headers.get('Authorization') ?? '';
    if (!answer.includes('algorithm=SHA-256')) {
      return challenge(
        'Digest realm="r", nonce="n1"',
        'Digest realm="r", nonce="n2", algorithm=SHA-256, qop="auth,auth-int"',
        'Basic realm="r"',
      );
    }
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const field = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(answer)?.[1];
    const expected = hash(
      `${hash('admin:r:secret')}:n2:${field('nc')}:${field('cnonce')}:auth:${hash(`${request.method}:${request.uri}`)}`,
    );
    return field('response') === expected ? wellBehaved(request) : { status: 401 };
  };
  const { device } = await play(script);
  expect(device.methods()).toEqual(['OPTIONS', 'OPTIONS', 'DESCRIBE', 'SETUP', 'SETUP', 'PLAY']);
});

test('a wrong password is tried once', async () => {
  await expect(play(() => challenge('Digest realm="r", nonce="n"'))).rejects.toMatchObject({ code: 'authentication' });
  const tried = opened.at(-1)?.device.requests.filter((request) => request.headers.get('Authorization') !== undefined);
  expect(tried).toHaveLength(1);
});

test('signs in on a second connection when the device closes with its challenge', async () => {
  const script: Script = (request) =>
    request.headers.get('Authorization') === undefined
      ? { ...challenge('Basic realm="r"'), close: true }
      : wellBehaved(request);
  const { device } = await play(script);
  expect(device.connections).toBe(2);
  expect(device.requests.at(-1)?.headers.get('Authorization')).toBe(
    `Basic ${Buffer.from('admin:secret').toString('base64')}`,
  );
});

test('a new nonce in the middle of a session is taken', async () => {
  let nonce = 'first';
  const script: Script = (request) =>
    request.headers.get('Authorization')?.includes(`nonce="${nonce}"`)
      ? wellBehaved(request)
      : challenge(`Digest realm="r", nonce="${nonce}"`);
  const { device, clock } = await play(script);
  nonce = 'second';
  clock.advance(30_000);
  await vi.waitFor(() => expect(device.methods().slice(-2)).toEqual(['GET_PARAMETER', 'GET_PARAMETER']));
});

test('keep-alive: half the timeout, and OPTIONS where GET_PARAMETER is refused', async () => {
  const script: Script = (request) => {
    if (request.method === 'GET_PARAMETER') return { status: 454 };
    return request.method === 'SETUP'
      ? { headers: { Transport: 'RTP/AVP/TCP;interleaved=0-1;ssrc= zz', Session: ' 9 ; timeout=15' } }
      : wellBehaved(request);
  };
  const { device, session, clock } = await play(script, { chooseTracks: (sdp) => sdp.media.slice(0, 1) });
  const before = device.requests.length;
  clock.advance(7000);
  expect(device.requests).toHaveLength(before);
  clock.advance(500);
  await vi.waitFor(() => expect(device.methods().slice(before)).toEqual(['GET_PARAMETER', 'OPTIONS']));
  await vi.waitFor(() => {
    clock.advance(7500);
    expect(device.methods().slice(before)).toEqual(['GET_PARAMETER', 'OPTIONS', 'OPTIONS']);
  });
  expect(session.keepAliveMethod()).toBe('OPTIONS');
  expect(device.methods()).not.toContain('SET_PARAMETER');
});

test('channels are those that the device grants, also where they are those that another track asked for', async () => {
  const grants = ['2-3', '0-1'];
  const script: Script = (request) =>
    request.method === 'SETUP'
      ? { headers: { Transport: `RTP/AVP/TCP;unicast;interleaved=${grants.shift()}`, Session: '1' } }
      : wellBehaved(request);
  const { device, packets } = await play(script);
  device.sendRtp(2, Buffer.from('picture'), { timestamp: 0, marker: true });
  device.sendRtp(0, Buffer.from('sound'), { timestamp: 0, marker: true, payloadType: 8 });
  await vi.waitFor(() => expect(packets).toHaveLength(2));
  expect(packets.map(({ track, text }) => [track, text])).toEqual([
    [0, 'picture'],
    [1, 'sound'],
  ]);
});

test('two tracks that are granted the same channels keep to those they asked for', async () => {
  const script: Script = (request) =>
    request.method === 'SETUP'
      ? { headers: { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1', Session: '1' } }
      : wellBehaved(request);
  const { device, packets } = await play(script);
  device.sendRtp(2, Buffer.from('sound'), { timestamp: 0, marker: true, payloadType: 8 });
  device.sendRtp(0, Buffer.from('picture'), { timestamp: 0, marker: true });
  await vi.waitFor(() => expect(packets.map(({ track }) => track)).toEqual([1, 0]));
});

test('answers with a wrong or no sequence number are taken', async () => {
  const { device } = await play((request) => ({
    ...wellBehaved(request),
    headers: { ...wellBehaved(request).headers, CSeq: '999' },
  }));
  expect(device.methods().at(-1)).toBe('PLAY');
});

test('a device that names another session for each track is asked for the one it named last', async () => {
  let setups = 0;
  const { device } = await play((request) => {
    const answer = wellBehaved(request);
    if (request.method !== 'SETUP') return answer;
    setups += 1;
    return { ...answer, headers: { ...answer.headers, Session: `2319${setups}0;timeout=60` } };
  });
  expect(setups).toBe(2);
  expect(device.requests.find(({ method }) => method === 'PLAY')?.headers.get('session')).toBe('231920');
});

test('odd descriptions: control first, no content type, no base, media ahead of the PLAY answer', async () => {
  const script: Script = (request, device) => {
    if (request.method === 'DESCRIBE') {
      return {
        headers: { 'Content-Base': '192.168.1.10:554/stream0/' },
        body: SCRIPTED_SDP.replace('s=Scripted\r\n', 's=Scripted\r\na=control:*\r\n'),
      };
    }
    if (request.method === 'PLAY') {
      device.sendRtp(0, Buffer.from('early'), { timestamp: 5, marker: true });
      return { headers: { 'RTP-Info': 'url=trackID=0;seq=1;rtptime=-1,url=trackID=1;seq=1;rtptime=77' } };
    }
    return wellBehaved(request);
  };
  const { device, session, packets } = await play(script);
  await vi.waitFor(() => expect(packets[0]?.text).toBe('early'));
  expect(device.requests[2]?.uri).toBe(`${device.url}/trackID=0`);
  expect(session.tracks.map((track) => track.startRtpTime)).toEqual([null, 77]);
});

function leadingTo(location: string): Script {
  return (request) =>
    request.method === 'DESCRIBE' ? { status: 302, headers: { Location: location } } : wellBehaved(request);
}

test('a redirect on the same host is followed, with sign-in, a few times', async () => {
  const target = await ScriptedDevice.listen((request) =>
    request.headers.get('Authorization') === undefined ? challenge('Basic realm="r"') : wellBehaved(request),
  );
  opened.push({ device: target, session: null });
  const { device } = await play(leadingTo(`${target.url}/moved`));
  expect(device.methods()).toEqual(['OPTIONS', 'DESCRIBE']);
  expect(target.requests.at(-1)?.uri).toBe(`${target.url}/moved/`);
  const circle = await ScriptedDevice.listen((request) => leadingTo(circle.url)(request, circle, undefined as never));
  opened.push({ device: circle, session: null });
  await expect(play(leadingTo(circle.url))).rejects.toThrow('circles');
  expect(circle.connections).toBe(3);
});

test('a redirect to another host is followed without credentials only', async () => {
  const target = await ScriptedDevice.listen(wellBehaved);
  opened.push({ device: target, session: null });
  const elsewhere = `rtsp://localhost:${target.port}/live`;
  await expect(play(leadingTo(elsewhere))).rejects.toMatchObject({ code: 'refused-address' });
  expect(target.connections).toBe(0);
  const { device } = await play(leadingTo(elsewhere), { credentials: null });
  expect(device.methods()).toEqual(['OPTIONS', 'DESCRIBE']);
  expect(target.methods().at(-1)).toBe('PLAY');
});

test('the target of a redirect is dialled anew, so that the network policy checks it', async () => {
  const hosts: string[] = [];
  const dial: RtspSessionOptions['dial'] = async (request) => {
    hosts.push(request.host);
    if (hosts.length > 1) throw new RtspError('refused-address', 'policy');
    return await dialDirect(request);
  };
  const refused = play(leadingTo('rtsp://169.254.169.254/x'), { credentials: null, dial });
  await expect(refused).rejects.toMatchObject({ code: 'refused-address' });
  expect(hosts).toEqual(['127.0.0.1', '169.254.169.254']);
});

test.each([
  ['no path', { status: 404 }, 'not-found'],
  ['no media', { body: 'v=0\r\n' }, 'no-track'],
  ['no description', { body: 'hello' }, 'protocol'],
  ['forbidden', { status: 403 }, 'authentication'],
])('%s gives its own error', async (_, answer, code) => {
  const script: Script = (request) => (request.method === 'DESCRIBE' ? answer : wellBehaved(request));
  await expect(play(script)).rejects.toMatchObject({ name: 'RtspError', code });
});

test('another protocol, and a device that says nothing', async () => {
  await expect(
    play((_, __, socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
      return { silent: true };
    }),
  ).rejects.toMatchObject({ code: 'protocol' });
  const clock = new FakeClock();
  let asked = false;
  const waiting = play(
    () => {
      asked = true;
      return { silent: true };
    },
    { clock },
  );
  const [refused] = await Promise.allSettled([
    waiting,
    vi.waitFor(() => {
      if (asked) clock.advance(60_000);
      expect(asked).toBe(true);
    }),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
});

test('the end of a session is reported once, and reading can be paused', async () => {
  const { device, session, packets, ended } = await play(wellBehaved);
  session.pauseReading();
  device.sendRtp(0, Buffer.from('a'), { timestamp: 1, marker: true });
  await vi.waitFor(() => {
    device.sendRtp(0, Buffer.alloc(60_000), { timestamp: 1, marker: true });
    expect(packets.length).toBeLessThan(3);
  });
  const held = packets.length;
  session.resumeReading();
  await vi.waitFor(() => expect(packets.length).toBeGreaterThan(held));
  device.hangUp();
  await vi.waitFor(() => expect(ended).toHaveLength(1));
  expect(ended[0]).toMatchObject({ code: 'unreachable' });
});

test('a patient session is read in rounds, except for answers; others are read at once', async () => {
  let isPatient = true;
  const { device, session, clock, packets } = await play(wellBehaved, { isPatient: () => isPatient });
  const send = (text: string): void => device.sendRtp(0, Buffer.from(text, 'latin1'), { timestamp: 0, marker: true });
  const seen = () => packets.map(({ text }) => text);
  send('one');
  send('two');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  const read = session.bytesRead();
  expect(seen()).toEqual([]);
  clock.advance(ROUND_MS);
  await vi.waitFor(() => expect(seen()).toEqual(['one', 'two']));
  expect(session.bytesRead()).toBe(read + 2 * 19);
  isPatient = false;
  send('three');
  clock.advance(ROUND_MS);
  await vi.waitFor(() => expect(seen()).toHaveLength(3));
  send('four');
  await vi.waitFor(() => expect(seen()).toHaveLength(4));
  isPatient = true;
  send('five');
  await vi.waitFor(() => expect(seen()).toHaveLength(5));
  // With a request under way bytes are read as they come, whatever else comes with its answer.
  send('six');
  await session.play();
  expect(seen()).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

test('an empty round waits for the socket, and rounds go on afterwards', async () => {
  const { device, clock, packets } = await play(wellBehaved, { isPatient: () => true });
  const send = (text: string): void => device.sendRtp(0, Buffer.from(text, 'latin1'), { timestamp: 0, marker: true });
  const seen = (count: number) => vi.waitFor(() => expect(packets).toHaveLength(count));
  send('one');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(ROUND_MS);
  await seen(1);
  clock.advance(ROUND_MS);
  // Nothing had come: no further round is needed for what comes now.
  send('two');
  await seen(2);
  send('three');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(packets).toHaveLength(2);
  clock.advance(ROUND_MS);
  await seen(3);
  expect(packets.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});

test.each(['hangUp', 'reset'] as const)('[FT-01] data received before a disconnect is still read: %s', async (end) => {
  const { device, clock, packets, ended } = await play(wellBehaved, { isPatient: () => true });
  device.sendRtp(0, Buffer.from('last'), { timestamp: 0, marker: true });
  // On its way before the end.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  device[end]();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await vi.waitFor(() => {
    clock.advance(ROUND_MS);
    expect(ended).toHaveLength(1);
  });
  expect(packets.map(({ text }) => text)).toEqual(['last']);
});
