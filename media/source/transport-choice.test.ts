// Proves that a source whose device grants UDP but never comes through changes over to TCP by itself.
import { ScriptedDevice, wellBehaved } from '@vedette/protocols/rtsp/scripted-device.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { HandClock } from '../clock/hand-clock.ts';
import { openRtspSource } from './rtsp-source.ts';
import { SignInGate } from './sign-in-gate.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

test('three seconds without a packet over UDP, and the next session asks for TCP at once', async () => {
  const asked: string[] = [];
  const device = await ScriptedDevice.listen((request) => {
    const transport = request.headers.get('Transport') ?? '';
    if (request.method !== 'SETUP') return wellBehaved(request);
    asked.push(transport.split(';')[0] ?? '');
    const udp = transport.includes('TCP') ? '' : ';server_port=9-10';
    return { headers: { Transport: `${transport}${udp}`, Session: '1' } };
  });
  const clock = new HandClock();
  const states: string[] = [];
  const source = openRtspSource({
    url: `${device.url}#transport=udp`,
    credentials: null,
    dial: dialDirect,
    clock,
    random: () => 0,
    clientNonce: () => 'abcdef',
    signInGate: new SignInGate(clock),
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
