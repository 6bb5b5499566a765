// Proves that a source over UDP of which nothing comes through, or nothing whole, changes over to TCP by itself.
import type { RtspSession } from '@vedette/protocols/rtsp/client.ts';
import { ScriptedDevice, wellBehaved } from '@vedette/protocols/rtsp/scripted-device.fake.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { openRtspSource } from './rtsp-source.ts';
import { SignInLimiter } from './sign-in-limiter.ts';
import { TransportChoice } from './transport-choice.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

test('after three seconds without a packet over UDP the next session uses TCP at once', async () => {
  const asked: string[] = [];
  const device = await ScriptedDevice.listen((request) => {
    const transport = request.headers.get('Transport') ?? '';
    if (request.method !== 'SETUP') return wellBehaved(request);
    asked.push(transport.split(';')[0] ?? '');
    const udp = transport.includes('TCP') ? '' : ';server_port=9-10';
    return { headers: { Transport: `${transport}${udp}`, Session: '1' } };
  });
  const clock = new FakeClock();
  const states: string[] = [];
  const source = openRtspSource({
    url: `${device.url}#transport=udp`,
    credentials: null,
    dial: dialDirect,
    clock,
    random: () => 0,
    clientNonce: () => 'abcdef',
    signInLimiter: new SignInLimiter(clock),
    consumer: {
      format: () => undefined,
      accessUnit: () => undefined,
      discontinuity: () => undefined,
      state: (state) => states.push(state.state),
    },
  });
  cleanUps.push(async () => {
    await source.close();
    await device.close();
  });
  await vi.waitFor(() => {
    if (device.methods().includes('PLAY')) clock.advance(1000);
    expect(asked).toContain('RTP/AVP/TCP');
  });
  expect(asked.slice(0, 3)).toEqual(['RTP/AVP', 'RTP/AVP', 'RTP/AVP/TCP']);
  expect(states).not.toContain('failed');
});

test('eight seconds of UDP without a whole frame and with packet loss switch to TCP; loss or a pause alone does not', () => {
  const over = (transport: 'udp' | 'tcp') => ({ transport, tracks: [] }) as unknown as RtspSession;
  const choice = new TransportChoice();
  const [udp, later, tcp] = [over('udp'), over('udp'), over('tcp')];
  const looks: readonly [RtspSession, number, number, number][] = [
    // Pictures come while packets are lost.
    [udp, 10, 0, 0],
    [udp, 20, 90, 9000],
    // A camera that pauses loses nothing.
    [udp, 20, 90, 18_000],
    // Another session begins anew, whatever the one before it lost; TCP has no other way to go.
    [tcp, 20, 90, 19_000],
    [tcp, 20, 190, 60_000],
    [later, 20, 190, 61_000],
    [later, 20, 290, 68_999],
  ];
  for (const [session, pictures, lostPackets, now] of looks)
    expect(choice.isTorn(session, { pictures, lostPackets }, now)).toBe(false);
  expect(choice.wanted()).toEqual({});
  expect(choice.isTorn(later, { pictures: 20, lostPackets: 290 }, 69_000)).toBe(true);
  expect(choice.takeChange()).toBe(true);
  expect(choice.wanted()).toEqual({ transport: 'tcp-only' });
});
