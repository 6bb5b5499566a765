// What waited while this process stood still keeps the times at which it was taken, and a device that stood still itself does not.
import { MediaChannel } from '@vedette/protocols/rtsp/media-channel.ts';
import { writeRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { parseSdp } from '@vedette/protocols/sdp/sdp.ts';
import { expect, test } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import { selectTracks } from './track-selection.ts';
import { TrackTimeline } from './track-timeline.ts';
import { UnitReader } from './unit-reader.ts';

const sdp = parseSdp(
  [
    'v=0',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 sprop-parameter-sets=Z0LAHtkDxWhAAAADAEAAAAwDxYuS,aMuMsg==',
  ].join('\n'),
);
/** Twenty pictures a second, every second a keyframe. */
const EVERY_MS = 50;

function stage() {
  const clock = new FakeClock();
  const begunMs = clock.wallMs();
  const walls: number[] = [];
  const selection = selectTracks(sdp);
  const reader = new UnitReader({
    clock,
    selection: { ...selection, video: selection.video ?? expect.unreachable() },
    videoTimeline: new TrackTimeline({ clockRate: 90_000, outputRate: 90_000, followsArrival: true }),
    audioTimelineOf: () => expect.unreachable(),
    consumer: {
      format: () => undefined,
      accessUnit: ({ wallMs }) => walls.push(wallMs - begunMs),
      discontinuity: () => undefined,
      state: () => undefined,
    },
    counters: createSourceCounters(),
    previousFormat: null,
    isReplay: false,
    onDelivering: () => undefined,
  });
  const media = { payloadType: 96, clockRate: 90_000 };
  const channel = new MediaChannel({ track: 0, media, sink: reader, now: () => clock.monotonicMs() });
  let sequence = 0;
  const picture = (index: number): void => {
    const packet = Buffer.alloc(12 + 200, index & 0x7f);
    const timestamp = index * EVERY_MS * 90;
    writeRtpHeader(packet, 0, { payloadType: 96, marker: true, sequence: sequence++, timestamp, ssrc: 1 });
    packet[12] = index % 20 === 0 ? 0x65 : 0x41;
    packet[13] = 0x88;
    channel.media(packet, 0, packet.length);
  };
  /** As they come; the connection is looked at all the while. */
  const live = (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      picture(index);
      clock.advance(EVERY_MS);
      reader.watchedMs = clock.monotonicMs();
    }
  };
  return { clock, walls, picture, live };
}

test('[FT-21] frames delayed by half a minute keep their capture times, and so do later ones', () => {
  const { clock, walls, picture, live } = stage();
  live(0, 200);
  clock.advance(30_000);
  // A millisecond each: this process is quick.
  for (let index = 200; index < 800; index++) {
    picture(index);
    clock.advance(1);
  }
  live(812, 1200);
  for (const [index, wall] of walls.slice(0, 800).entries())
    expect(Math.abs(wall - index * EVERY_MS)).toBeLessThan(150);
  for (const [index, wall] of walls.slice(800).entries()) {
    expect(Math.abs(wall - (812 + index) * EVERY_MS)).toBeLessThan(150);
  }
});

test('[FT-21] frames the device dropped meanwhile are no timestamp jump', () => {
  const { clock, walls, picture, live } = stage();
  live(0, 200);
  clock.advance(30_000);
  // Its buffers held four seconds, then it left pictures out up to the last second.
  for (const index of [...Array(80).keys()].map((one) => 200 + one)) picture(index);
  for (const index of [...Array(20).keys()].map((one) => 780 + one)) picture(index);
  live(800, 900);
  const taken = [...Array(280).keys(), ...[...Array(120).keys()].map((one) => 780 + one)];
  for (const [at, index] of taken.entries()) {
    expect(Math.abs((walls[at] ?? Number.NaN) - index * EVERY_MS), `picture ${index}`).toBeLessThan(150);
  }
});

test('a device that was suspended with us continues at arrival times', () => {
  const { clock, walls, live } = stage();
  live(0, 200);
  clock.advance(30_000);
  live(200, 800);
  const last = walls.at(-1) ?? 0;
  expect(Math.abs(last - (30_000 + 799 * EVERY_MS))).toBeLessThan(300);
  expect(walls).toEqual(walls.toSorted((a, b) => a - b));
});
