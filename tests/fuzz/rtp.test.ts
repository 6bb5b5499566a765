// Fuzzes camera media: RTP and RTCP packets, every depacketiser, parameter sets, reordering, up to access units.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createSourceCounters } from '@vedette/media/stream/source-counters.ts';
import { selectTracks } from '../../media/source/track-selection.ts';
import { TrackTimeline } from '../../media/source/track-timeline.ts';
import { UnitReader } from '../../media/source/unit-reader.ts';
import { VideoFormatTracker } from '../../media/source/video-format-tracker.ts';
import { parseAudioSpecificConfig } from '@vedette/protocols/aac/audio-specific-config.ts';
import { readJpeg } from '@vedette/protocols/jpeg/read-jpeg.ts';
import { BitstreamError } from '@vedette/protocols/bits/bit-reader.ts';
import { AacDepacketiser, PlainAudioDepacketiser } from '@vedette/protocols/rtp/depacketise-audio.ts';
import { H264Depacketiser } from '@vedette/protocols/rtp/depacketise-h264.ts';
import { H265Depacketiser } from '@vedette/protocols/rtp/depacketise-h265.ts';
import {
  createRtpHeader,
  readReplayExtension,
  readRtpHeader,
  type RtpPayload,
  writeRtpHeader,
} from '@vedette/protocols/rtp/packet.ts';
import { packetiseAac } from '@vedette/protocols/rtp/packetise-audio.ts';
import { packetiseH264, packetiseH265 } from '@vedette/protocols/rtp/packetise-video.ts';
import { LatmDepacketiser } from '@vedette/protocols/rtp/depacketise-latm.ts';
import { JpegDepacketiser } from '@vedette/protocols/rtp/depacketise-jpeg.ts';
import type { Depacketiser, DepacketiserSink } from '@vedette/protocols/rtp/picture-assembler.ts';
import { ReorderBuffer } from '@vedette/protocols/rtp/reorder-buffer.ts';
import { hasBye, readSenderReport, writeSenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import { UnitArena } from '@vedette/protocols/rtp/unit-arena.ts';
import { MediaChannel } from '@vedette/protocols/rtsp/media-channel.ts';
import { parseSdp } from '@vedette/protocols/sdp/sdp.ts';
import { expect, it } from 'vitest';
import { fuzz } from './engine/fuzz.ts';

const H264_SETS = ['Z0LAHtkDxWhAAAADAEAAAAwDxYuS', 'aMuMsg=='].map((set) => Buffer.from(set, 'base64'));
const H265_SETS = ['QAEMAf//AWAAAAMAAAMAAAMAAAMAlqwJ', 'QgEBAWAAAAMAAAMAAAMAAAMAlqADwIAQ5Za5Jkyu', 'RAHBcrRiQA=='].map(
  (set) => Buffer.from(set, 'base64'),
);

/** A chain of packets in one input: two bytes of length ahead of each. */
function chain(packets: readonly Buffer[]): Buffer {
  return Buffer.concat(
    packets.flatMap((packet) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(packet.length);
      return [length, packet];
    }),
  );
}

function packetsOf(input: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + 2 <= input.length; ) {
    const end = Math.min(input.length, at + 2 + input.readUInt16BE(at));
    packets.push(input.subarray(at + 2, end));
    at = end;
  }
  return packets;
}

function unitOf(...nals: readonly (readonly number[])[]): Buffer {
  return Buffer.concat(
    nals.map((nal) => {
      const bytes = Buffer.alloc(4 + nal.length);
      bytes.writeUInt32BE(nal.length);
      bytes.set(nal, 4);
      return bytes;
    }),
  );
}

const long = (first: readonly number[], count: number): number[] => [
  ...first,
  ...Array.from({ length: count }, (_, i) => i % 251),
];

/** Payloads with a byte of flags (marker) and one of time ahead. */
function payloads(cuts: readonly { payload: Buffer; marker: boolean }[], time: number): Buffer[] {
  return cuts.map(({ payload, marker }) => Buffer.concat([Buffer.from([marker ? 1 : 0, time]), payload]));
}

const H264_CHAIN = chain([
  ...payloads(packetiseH264(unitOf(long([0x65, 0x88], 4000)), H264_SETS), 0),
  ...payloads(packetiseH264(unitOf([0x06, 6, 1, 0, 0x80], [0x41, 0x9a, 1, 2])), 1),
  Buffer.from([1, 2, 0x78, 0, 4, 0x41, 0x9a, 1, 2, 0, 3, 0x41, 0x1a, 3]),
  Buffer.from([1, 3, 0x7c, 0x85, 0x88, 1, 2, 3]),
]);
const H265_CHAIN = chain([
  ...payloads(packetiseH265(unitOf(long([0x26, 1, 0xaf], 4000)), H265_SETS), 0),
  ...payloads(packetiseH265(unitOf([0x02, 1, 0xd0, 1])), 1),
  Buffer.from([1, 2, 0x60, 1, 0, 4, 0x02, 1, 0xd0, 9, 0, 3, 0x02, 1, 0x50]),
]);

function feed(open: (arena: UnitArena, sink: DepacketiserSink) => Depacketiser): (input: Buffer) => number {
  return (input) => {
    let made = 0;
    const keeper = new VideoFormatTracker('h264');
    const reader = open(new UnitArena(112), {
      accessUnit: (data) => {
        made += data.length;
      },
      parameterSet: (nal) => keeper.add(nal),
      damaged: () => undefined,
    });
    for (const [index, packet] of packetsOf(input).entries()) {
      if (packet.length < 2) reader.gap();
      else reader.packet(packet, payloadIn(packet, (packet[1] ?? 0) * 3600 + index, packet[0] === 1));
    }
    keeper.format();
    return made;
  };
}

/** Behind the two bytes of the input that say marker and time. */
function payloadIn(packet: Buffer, timestamp: number, marker: boolean): RtpPayload {
  return { payloadStart: 2, payloadEnd: packet.length, timestamp, marker };
}

/** Baseline, 16 by 16 pixels: enough for the headers that RTP leaves out and for a restart interval. */
const JPEG_CHAIN = chain([
  ...[0x01, 0x41].map((type) =>
    Buffer.concat([
      Buffer.from([1, type, 0, 0, 0, 0, type, 255, 2, 2]),
      Buffer.from(type === 0x41 ? [0, 1, 0xff, 0xff] : []),
      Buffer.from([0, 0, 0, 128]),
      Buffer.alloc(128, 16),
      Buffer.alloc(200, 0x5a),
    ]),
  ),
  Buffer.concat([Buffer.from([1, 9, 0, 0, 0, 0, 1, 60, 2, 2]), Buffer.alloc(300, 0x33)]),
]);

/** Length fields of four bytes take the place of fields of two; nothing else may grow. */
const fewTimes = (bytes: number): number => 4 * bytes + 1024;

it('[SE-81] [SE-82] depacketisers of H.264, H.265, AAC and uncompressed audio', async () => {
  const hevcNever = chain(Array.from({ length: 200 }, () => Buffer.from([0, 1, 0x62, 1, 0x93, 1, 2, 3])));
  const avcNever = chain(Array.from({ length: 200 }, (_, i) => Buffer.from([0, 1, 0x7c, i === 0 ? 0x85 : 5, 1, 2, 3])));
  await fuzz({
    name: 'depacketise-h264',
    seeds: [H264_CHAIN, avcNever],
    outputMax: fewTimes,
    run: feed((arena, sink) => new H264Depacketiser(arena, sink)),
  });
  await fuzz({
    name: 'depacketise-h265',
    seeds: [H265_CHAIN, hevcNever],
    outputMax: fewTimes,
    run: feed((arena, sink) => new H265Depacketiser(arena, sink)),
  });
  const sizes = { sizeLength: 13, indexLength: 3, indexDeltaLength: 3 };
  await fuzz({
    name: 'depacketise-aac',
    seeds: [
      chain(
        payloads(
          [300, 4000].flatMap((bytes) => packetiseAac(Buffer.alloc(bytes, 7))),
          0,
        ),
      ),
    ],
    outputMax: fewTimes,
    run: feed((arena, sink) => new AacDepacketiser(arena, sink, sizes, 1024)),
  });
  await fuzz({
    name: 'depacketise-latm',
    seeds: [
      chain([
        Buffer.concat([Buffer.from([1, 0, 255, 45]), Buffer.alloc(300, 9)]),
        Buffer.from([1, 1, 3, 1, 2, 3, 2, 4, 5]),
        Buffer.concat([Buffer.from([0, 2, 255, 255, 90]), Buffer.alloc(100, 4)]),
      ]),
    ],
    outputMax: fewTimes,
    run: feed((arena, sink) => new LatmDepacketiser(arena, sink, 1024)),
  });
  await fuzz({
    name: 'depacketise-jpeg',
    seeds: [JPEG_CHAIN],
    // Every picture gets the headers and tables that its packets leave out.
    outputMax: (bytes) => 100 * bytes + 2048,
    run: feed((arena, sink) => new JpegDepacketiser(arena, sink)),
  });
  await fuzz({
    name: 'depacketise-plain',
    seeds: [chain([Buffer.alloc(162, 7)])],
    outputMax: fewTimes,
    run: feed((arena, sink) => new PlainAudioDepacketiser(arena, sink)),
  });
});

it('[SE-81] [SE-82] [GO-14] (ZoneMinder GHSA-wg5h, Kerberos 2026) parameter sets give a displayable format, or none', async () => {
  await fuzz({
    name: 'parameter-sets',
    seeds: [chain(H264_SETS), chain(H265_SETS), Buffer.concat(H264_SETS)],
    allowed: [BitstreamError],
    outputMax: () => 128 * 1024,
    run: (input) => {
      let made = 0;
      for (const codec of ['h264', 'h265'] as const) {
        const keeper = new VideoFormatTracker(codec);
        for (const set of packetsOf(input)) keeper.add(set);
        const format = keeper.format();
        made += format?.config.length ?? 0;
        if (format && !(format.width > 0 && format.width <= 16_384 && format.height > 0 && format.height <= 16_384))
          throw new Error(`a picture of ${format.width} by ${format.height}`);
      }
      const { sampleRate } = parseAudioSpecificConfig(input.subarray(0, 64));
      if (!(sampleRate > 0)) throw new Error('a sound without a rate');
      return made;
    },
  });
});

it('[SE-82] headers of RTP JPEG frames', async () => {
  await fuzz({
    name: 'jpeg-headers',
    seeds: [writtenJpeg()],
    words: ['\xff\xd8', '\xff\xda', '\xff\xdb', '\xff\xc0', '\xff\xdd', '\xff\xd9'],
    run: (input) => {
      readJpeg(input);
      return 0;
    },
  });
});

/** As the depacketiser writes it. */
function writtenJpeg(): Buffer {
  const pictures: Buffer[] = [];
  const reader = new JpegDepacketiser(new UnitArena(0), {
    accessUnit: (data) => pictures.push(Buffer.from(data)),
    parameterSet: () => undefined,
    damaged: () => undefined,
  });
  for (const packet of packetsOf(JPEG_CHAIN)) reader.packet(packet, payloadIn(packet, packet[1] ?? 0, true));
  return pictures[0] ?? Buffer.alloc(0);
}

it('[SE-82] RTP headers, replay extensions, RTCP', async () => {
  const rtp = Buffer.alloc(40, 3);
  writeRtpHeader(rtp, 0, { payloadType: 96, marker: true, sequence: 7, timestamp: 9, ssrc: 1 });
  const replay = Buffer.from(`90600001000000020000000${'3abac0003'}e0000000800000008000000065880102`, 'hex');
  const report = writeSenderReport({ ssrc: 1, wallMs: 1_800_000_000_000, rtpTime: 5, packets: 1, bytes: 1 });
  const header = createRtpHeader();
  await fuzz({
    name: 'rtp-packet',
    seeds: [rtp, replay, report],
    run: (input) => {
      if (readRtpHeader(input, 0, input.length, header)) {
        const isInside = header.payloadStart >= 12 && header.payloadStart <= header.payloadEnd;
        if (!isInside || header.payloadEnd > input.length) throw new Error('a payload outside of its packet');
        readReplayExtension(input, header);
      }
      readSenderReport(input, 0, input.length);
      hasBye(input, 0, input.length);
      return 0;
    },
  });
});

const SDP = parseSdp(
  [
    'v=0',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    `a=fmtp:96 sprop-parameter-sets=${H264_SETS.map((set) => set.toString('base64')).join(',')}`,
    'm=audio 0 RTP/AVP 97',
    'a=rtpmap:97 MPEG4-GENERIC/16000/1',
    'a=fmtp:97 config=1408;sizelength=13;indexlength=3;indexdeltalength=3',
  ].join('\n'),
);

/** Whole packets of both tracks, one byte of channel ahead. */
function session(): Buffer {
  let sequence = 65_530;
  const packets: Buffer[] = [];
  for (let picture = 0; picture < 12; picture += 1) {
    const unit = picture % 4 === 0 ? unitOf(long([0x65, 0x88], 2000)) : unitOf([0x41, 0x9a, picture, 2]);
    for (const { payload, marker } of packetiseH264(unit)) {
      const packet = Buffer.alloc(13 + payload.length);
      sequence = (sequence + 1) & 0xffff;
      writeRtpHeader(packet, 1, { payloadType: 96, marker, sequence, timestamp: (picture * 3600) >>> 0, ssrc: 5 });
      payload.copy(packet, 13);
      packets.push(packet);
    }
    const report = writeSenderReport({
      ssrc: 5,
      wallMs: 1_800_000_000_000 + picture * 40,
      rtpTime: picture * 3600,
      packets: 1,
      bytes: 1,
    });
    packets.push(Buffer.concat([Buffer.from([1]), report]));
  }
  return chain(packets);
}

it('[SE-81] [SE-82] any session gives complete access units with increasing, bounded times', async () => {
  const report = await fuzz({
    name: 'media-session',
    seeds: [session()],
    outputMax: fewTimes,
    run: playSession,
    share: 0.6,
  });
  expect(report.blocks).toBeGreaterThan(100);
});

function playSession(input: Buffer): number {
  const clock = new FakeClock();
  const selection = selectTracks(SDP);
  const { video } = selection;
  if (!video) throw new Error('the description has video');
  let made = 0;
  let lastDts = -1;
  const reader = new UnitReader({
    clock,
    selection: { ...selection, video },
    videoTimeline: new TrackTimeline({ clockRate: 90_000, outputRate: 90_000, followsArrival: true }),
    audioTimelineOf: () => new TrackTimeline({ clockRate: 16_000, outputRate: 16_000 }),
    consumer: {
      format: () => undefined,
      discontinuity: () => undefined,
      state: () => undefined,
      accessUnit: (unit) => {
        made += unit.data.length;
        if (unit.track !== 'video') return;
        if (unit.dts <= lastDts || !Number.isSafeInteger(unit.dts))
          throw new Error(`time ${unit.dts} after ${lastDts}`);
        if (Math.abs(unit.wallMs - clock.wallMs()) > 60_000) throw new Error('a wall clock far from arrival');
        lastDts = unit.dts;
      },
    },
    counters: createSourceCounters(),
    previousFormat: null,
    isReplay: false,
    onDelivering: () => undefined,
  });
  const now = (): number => clock.monotonicMs();
  const channels = [selection.video, selection.audio].map(
    (media, track) => new MediaChannel({ track, media: media ?? video, sink: reader, now }),
  );
  const ordered = new ReorderBuffer((packet) => channels[0]?.media(packet, 0, packet.length));
  for (const packet of packetsOf(input)) {
    clock.advance(10);
    const kind = packet[0] ?? 0;
    if (kind % 4 === 3) ordered.push(Buffer.from(packet.subarray(1)), now());
    else if (kind % 2 === 1) channels[(kind >> 1) & 1]?.control(packet, 1, packet.length);
    else channels[(kind >> 1) & 1]?.media(packet, 1, packet.length);
  }
  return made;
}
