// Proves the replay of a device's own recording: headers, recorded wall clocks, end of the span, holding the device back.
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { writeInterleavedHeader } from '@vedette/protocols/rtsp/message.ts';
import { ScriptedDevice, wellBehaved } from '@vedette/protocols/rtsp/scripted-device.fake.ts';
import { msToNtp, writeRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { AccessUnit } from '../stream/stream.ts';
import { openReplay, type Replay } from './replay-source.ts';

const FROM = Date.UTC(2026, 0, 2, 3, 4, 5, 600);
const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

/** A keyframe in one packet with the ONVIF replay extension. */
function send(device: ScriptedDevice, index: number, wallMs: number, flags = 0): void {
  const packet = Buffer.alloc(4 + 12 + 16 + 5);
  writeInterleavedHeader(packet, 0, 0, packet.length - 4);
  writeRtpHeader(packet, 4, { payloadType: 96, marker: true, sequence: index, timestamp: index * 3600, ssrc: 1 });
  packet[4] = 0x90;
  packet.writeUInt16BE(0xabac, 16);
  packet.writeUInt16BE(3, 18);
  const ntp = msToNtp(wallMs);
  packet.writeUInt32BE(ntp.seconds, 20);
  packet.writeUInt32BE(ntp.fraction, 24);
  packet[28] = 0x80 | flags;
  packet.set([0x65, 0x88, 1, 2, 3], 32);
  device.sendBytes(packet);
}

async function replay(
  toMs: number,
): Promise<{ device: ScriptedDevice; session: Replay; units: AccessUnit[]; breaks: string[]; clock: FakeClock }> {
  const device = await ScriptedDevice.listen(wellBehaved);
  const clock = new FakeClock();
  const units: AccessUnit[] = [];
  const breaks: string[] = [];
  const session = await openReplay({
    url: device.url,
    credentials: null,
    dial: (request) => dialDirect(request),
    clock,
    clientNonce: () => 'abc',
    signal: new AbortController().signal,
    fromMs: FROM,
    toMs,
    consumer: {
      format: () => undefined,
      accessUnit: (unit) => units.push(unit),
      discontinuity: (reason) => breaks.push(reason),
      state: () => undefined,
    },
  });
  running.push(session, device);
  return { device, session, units, breaks, clock };
}

test('asks by wall clock and gives recorded wall clocks; ends with the span', async () => {
  const { device, session, units, breaks } = await replay(FROM + 3_600_000);
  const play = device.requests.at(-1);
  expect(play?.headers.get('Require')).toBe('onvif-replay');
  expect(play?.headers.get('Range')).toBe('clock=20260102T030405.600Z-20260102T040405.600Z');
  expect(play?.headers.get('Rate-Control')).toBe('no');
  send(device, 1, FROM);
  send(device, 2, FROM + 40);
  send(device, 3, FROM + 1_000_000, 0x20);
  send(device, 4, FROM + 3_600_000);
  await session.finished;
  expect(units.map((unit) => unit.wallMs - FROM)).toEqual([0, 40, 1_000_000]);
  expect(breaks).toEqual(['connected', 'timestamp-jump']);
});

test('ends with the terminal mark, with silence, or with the connection', async () => {
  const marked = await replay(FROM + 3_600_000);
  send(marked.device, 1, FROM, 0x10);
  await marked.session.finished;
  expect(marked.units).toHaveLength(1);
  const silent = await replay(FROM + 3_600_000);
  silent.session.pause();
  silent.clock.advance(60_000);
  silent.session.resume();
  let isOver = false;
  void silent.session.finished.then(() => {
    isOver = true;
  });
  const silence = async (ms: number) => {
    for (let i = 0; i < ms / 250; i++) silent.clock.advance(250);
    await Promise.resolve();
    return isOver;
  };
  // Before its first picture a device may still be looking for it.
  expect(await silence(9500)).toBe(false);
  send(silent.device, 1, FROM);
  await vi.waitFor(() => expect(silent.units).toHaveLength(1));
  expect(await silence(3500)).toBe(false);
  await silence(1000);
  expect(await silent.session.finished).toBe('broken');
  const closed = await replay(FROM + 3_600_000);
  send(closed.device, 1, FROM);
  await vi.waitFor(() => expect(closed.units).toHaveLength(1));
  closed.device.hangUp();
  await closed.session.finished;
  const broken = await replay(FROM + 3_600_000);
  broken.device.hangUp();
  await expect(broken.session.finished).rejects.toMatchObject({ code: 'unreachable' });
});
