// Fuzzes the whole way from bytes to access units: whatever packets are mutated, lost or noise, the promises of a stream hold.
import { RtspParseError, RtspParser, writeInterleavedHeader } from '@vedette/protocols/rtsp/message.ts';
import { MediaChannel } from '@vedette/protocols/rtsp/media-channel.ts';
import { writeRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { packetiseAac } from '@vedette/protocols/rtp/packetise-audio.ts';
import { packetiseH264 } from '@vedette/protocols/rtp/packetise-video.ts';
import { parseSdp } from '@vedette/protocols/sdp/sdp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { AccessUnit } from '../stream/stream.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import { TrackTimeline } from './track-timeline.ts';
import { selectTracks } from './track-selection.ts';
import { UnitReader } from './unit-reader.ts';

const sdp = parseSdp(
  [
    'v=0',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 sprop-parameter-sets=Z0LAHtkDxWhAAAADAEAAAAwDxYuS,aMuMsg==',
    'm=audio 0 RTP/AVP 97',
    'a=rtpmap:97 MPEG4-GENERIC/16000/1',
    'a=fmtp:97 config=1408;sizelength=13;indexlength=3;indexdeltalength=3',
  ].join('\n'),
);

function frame(channel: number, payload: Buffer, fields: Parameters<typeof writeRtpHeader>[2]): Buffer {
  const bytes = Buffer.alloc(16 + payload.length);
  writeInterleavedHeader(bytes, 0, channel, bytes.length - 4);
  writeRtpHeader(bytes, 4, fields);
  payload.copy(bytes, 16);
  return bytes;
}

/** Twelve pictures, every fourth a keyframe, with a sound frame beside each. */
function recording(): Buffer[] {
  const frames: Buffer[] = [];
  let sequence = 0;
  for (let index = 0; index < 12; index++) {
    const nal = Buffer.alloc(300, index);
    nal[0] = index % 4 === 0 ? 0x65 : 0x41;
    nal[1] = 0x88;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(nal.length);
    for (const cut of packetiseH264(Buffer.concat([length, nal]), [], 100)) {
      frames.push(
        frame(0, cut.payload, {
          payloadType: 96,
          marker: cut.marker,
          sequence: sequence++,
          timestamp: index * 3600,
          ssrc: 1,
        }),
      );
    }
    frames.push(
      frame(2, packetiseAac(Buffer.alloc(20, index))[0]?.payload ?? Buffer.alloc(0), {
        payloadType: 97,
        marker: true,
        sequence: index,
        timestamp: index * 1024,
        ssrc: 2,
      }),
    );
  }
  return frames;
}

function play(pieces: readonly Buffer[]): { units: AccessUnit[]; breaks: number[] } {
  const selection = selectTracks(sdp);
  const units: AccessUnit[] = [];
  const breaks: number[] = [];
  const clock = new FakeClock();
  const counters = createSourceCounters();
  const reader = new UnitReader({
    clock,
    selection: { ...selection, video: selection.video ?? expect.unreachable() },
    videoTimeline: new TrackTimeline({ clockRate: 90_000, outputRate: 90_000 }),
    audioTimelineOf: () => new TrackTimeline({ clockRate: 16_000, outputRate: 16_000 }),
    consumer: {
      format: () => undefined,
      accessUnit: (unit) => units.push(unit),
      discontinuity: () => breaks.push(units.length),
      state: () => undefined,
    },
    counters,
    previousFormat: null,
    isReplay: false,
    onDelivering: () => undefined,
  });
  const channels = [96, 97].map((payloadType, track) => {
    const media = { payloadType, clockRate: 90_000 };
    return new MediaChannel({ track, media, sink: reader, now: () => clock.monotonicMs() });
  });
  const parser = new RtspParser({
    request: () => undefined,
    response: () => undefined,
    interleaved: (channel, buffer, start, end) => {
      const to = channels[channel >> 1];
      if ((channel & 1) === 0) to?.media(buffer, start, end);
      else to?.control(buffer, start, end);
    },
  });
  for (const piece of pieces) {
    clock.advance(10);
    parser.push(Buffer.from(piece));
  }
  return { units, breaks };
}

test('an undamaged recording gives every access unit', () => {
  const { units, breaks } = play(recording());
  expect(units.filter((unit) => unit.track === 'video')).toHaveLength(12);
  expect(units.filter((unit) => unit.track === 'audio')).toHaveLength(12);
  expect(breaks).toEqual([0]);
});

test('for any corruption access units are whole, times monotonic, and a break is followed by a keyframe', () => {
  const edit = fc.record({ frame: fc.nat(60), at: fc.nat(120), value: fc.nat(255), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 15 }), (edits) => {
      const frames = recording();
      const dropped = new Set<number>();
      for (const { frame: index, at, value, drop } of edits) {
        const bytes = frames[index % frames.length] as Buffer;
        if (drop) dropped.add(index % frames.length);
        else bytes[at % bytes.length] = value;
      }
      const seen: { units: AccessUnit[]; breaks: number[] } = { units: [], breaks: [] };
      try {
        Object.assign(seen, play(frames.filter((_, index) => !dropped.has(index))));
      } catch (error) {
        // Broken framing ends a connection; nothing else may be thrown.
        if (!(error instanceof RtspParseError)) throw error;
      }
      check(seen.units, seen.breaks);
    }),
    { numRuns: 400 },
  );
});

function check(units: readonly AccessUnit[], breaks: readonly number[]): void {
  const last = { video: -1, audio: -1 };
  for (const unit of units) {
    expect(unit.dts).toBeGreaterThan(last[unit.track]);
    last[unit.track] = unit.dts;
    expect(unit.data.length).toBeGreaterThan(0);
    if (unit.track !== 'video') continue;
    let at = 0;
    while (at < unit.data.length) at += 4 + unit.data.readUInt32BE(at);
    expect(at).toBe(unit.data.length);
  }
  for (const at of breaks) if (units[at]) expect(units[at]).toMatchObject({ track: 'video' });
}
