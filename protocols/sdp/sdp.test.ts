// Proves the reading of descriptions: real devices' answers where the folder is there, each quirk in a case of our own, and fuzz.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAudioSpecificConfig } from '../aac/audio-specific-config.ts';
import { parseH264Sps } from '../h264/sps.ts';
import { parseH265Sps } from '../h265/sps.ts';
import { backChannelOf } from '../rtsp/back-channel.ts';
import { RtspParser } from '../rtsp/message.ts';
import { parseRtpInfo, parseSession, parseTransport } from '../rtsp/header-fields.ts';
import { controlUrl, presentationBase } from '../rtsp/request-url.ts';
import { aacConfig, auHeaderSizes, spropParameterSets } from './parameter-sets.ts';
import { parseSdp, type Sdp, SdpError } from './sdp.ts';

const folder = join(import.meta.dirname, '../../../shared/fixtures/sdp');
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.txt') && !name.startsWith('LICENSE'))
  : [];

/** The stored answers have line ends of any kind and lengths that no longer fit, so only the head is parsed as a message. */
function readAnswer(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  if (!text.startsWith('RTSP/')) return { body: text, header: () => undefined };
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const headers: { get(name: string): string | undefined }[] = [];
  const parser = new RtspParser({
    request: () => undefined,
    interleaved: () => undefined,
    response: (response) => headers.push(response.headers),
  });
  parser.push(Buffer.from(`${head.replace(/^content-length:[^\n]*\n?/im, '')}\r\n\r\n`));
  return { body: rest.join('\n\n'), header: (wanted: string) => headers[0]?.get(wanted) };
}

function summary(sdp: Sdp): string {
  return sdp.media
    .map((media) => `${media.kind}:${media.encoding}/${media.clockRate}/${media.channels}@${media.control}`)
    .join(' ');
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'anjvision_describe.txt': 'video:H265/90000/1@trackID=1',
  'anpviz_sdp.txt': 'video:H264/90000/1@trackID=1 audio:MPEG4-GENERIC/16000/2@trackID=2',
  'bunny_describe.txt': 'audio:MPEG4-GENERIC/12000/2@trackID=1 video:H264/90000/1@trackID=2',
  'dahua_describe_h264_aac_onvif.txt':
    'video:H264/90000/1@trackID=0 audio:MPEG4-GENERIC/48000/1@trackID=1 application:VND.ONVIF.METADATA/90000/1@trackID=4',
  'dahua_describe_h265_pcma.txt': 'video:H265/90000/1@trackID=0 audio:PCMA/8000/1@trackID=1',
  'foscam_describe.txt': 'video:H264/90000/1@track1 audio:PCMU/8000/1@track2',
  'geovision_sdp.txt':
    'video:H264/90000/1@rtsp://192.168.5.237/media/video1/video application:VND.ONVIF.METADATA/90000/1@rtsp://192.168.5.237/media/video1/metadata',
  'gw_main_describe.txt': 'video:H264/90000/1@video audio:PCMU/8000/1@audio',
  'gw_sub_describe.txt': 'video:H264/90000/1@video',
  'h264dvr_describe.txt': 'video:H264/90000/1@trackID=3 audio:PCMA/8000/1@trackID=4',
  'macrovideo_describe.txt': 'video:H264/90000/1@track1',
  'missing_content_type_describe.txt': 'video:H264/90000/1@streamid=0 audio:MPEG4-GENERIC/48000/2@streamid=1',
  'reolink_describe.txt': 'video:H264/90000/1@trackID=1 audio:MPEG4-GENERIC/16000/1@trackID=2',
  'reolink_describe_control_first.txt': 'video:H264/90000/1@trackID=1 audio:MPEG4-GENERIC/16000/1@trackID=2',
};

describe.skipIf(files.length === 0)('answers of real devices (../shared/fixtures/sdp)', () => {
  test.each(Object.entries(DESCRIPTIONS))('%s', (name, expected) => {
    const { body } = readAnswer(name);
    expect(summary(parseSdp(body))).toBe(expected);
  });

  test.each(
    files.filter((name) => /describe|sdp/.test(name)),
  )('%s: parameter sets and control URLs are usable', (name) => {
    const { body, header } = readAnswer(name);
    const sdp = parseSdp(body);
    const base = presentationBase('rtsp://dialled/live', header('content-base'), undefined);
    for (const media of sdp.media) {
      expect(controlUrl(base, media.control)).toMatch(/^rtsp:\/\/\S+$/);
      if (media.encoding === 'MPEG4-GENERIC')
        expect(parseAudioSpecificConfig(aacConfig(media)).channels).toBeGreaterThan(0);
      if (media.kind !== 'video') continue;
      const sets = spropParameterSets(media);
      const sps = sets.find(
        (set) =>
          (media.encoding === 'H265' ? ((set[0] as number) >> 1) & 63 : (set[0] as number) & 31) ===
          (media.encoding === 'H265' ? 33 : 7),
      );
      if (!sps) continue;
      const size = media.encoding === 'H265' ? parseH265Sps(sps) : parseH264Sps(sps);
      expect(size.width).toBeGreaterThanOrEqual(160);
    }
  });

  test.each(files.filter((name) => /setup/.test(name)))('%s: transport and session', (name) => {
    const { header } = readAnswer(name);
    expect(parseSession(header('session') ?? '').id).toMatch(/^\w+$/);
    const transport = parseTransport(header('transport') ?? '');
    expect(transport.isInterleaved).toBe(!/udp|h264dvr/.test(name));
  });

  test.each(files.filter((name) => /play|rtptime/.test(name)))('%s: RTP-Info', (name) => {
    const entries = parseRtpInfo(readAnswer(name).header('rtp-info') ?? '');
    for (const entry of entries) expect(entry.url).not.toBe('');
    if (name === 'bad_rtptime.txt') expect(entries.map((entry) => entry.rtpTime)).toEqual([null, null]);
  });
});

describe('quirks of the field', () => {
  const lines = (...text: string[]): string => ['v=0', 's=x', ...text, ''].join('\r\n');

  test('a payload type without rtpmap, and one whose name contradicts its number', () => {
    const sdp = parseSdp(
      lines(
        'm=audio 0 RTP/AVP 0',
        'm=audio 0 RTP/AVP 8',
        'a=rtpmap:8 PCMU/8000/1',
        'm=audio 0 RTP/AVP 0',
        'a=rtpmap:0 MPEG4-GENERIC/16000/2',
      ),
    );
    expect(sdp.media.map((media) => media.encoding)).toEqual(['PCMU', 'PCMU', 'MPEG4-GENERIC']);
  });

  test('a description without a version is read, a text that is none is refused', () => {
    expect(parseSdp('s=x\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n').media).toHaveLength(1);
    expect(() => parseSdp('s=x\r\nnothing\r\n')).toThrow(SdpError);
  });

  test('control ahead of the media, spaces after values, lower-case names, bare line feeds', () => {
    const sdp = parseSdp(
      'v=0\na=control:rtsp://h/s \na=recvonly\nm=video 0 RTP/AVP 96 \na=rtpmap:96 h264/90000 \na=control: track1\n',
    );
    expect(sdp).toMatchObject({
      control: 'rtsp://h/s',
      media: [{ encoding: 'H264', control: 'track1', direction: 'recvonly' }],
    });
  });

  test('no sprop at all, and sprop with a start code behind it', () => {
    const sdp = parseSdp(
      lines(
        'm=video 0 RTP/AVP 96',
        'a=rtpmap:96 H264/90000',
        'm=video 0 RTP/AVP 97',
        'a=fmtp:97 sprop-parameter-sets=Z00AKpWoHgCJ+WbgICAgQAAAAAE=,aO48gAAAAAE=',
      ),
    );
    expect(sdp.media.map((media) => spropParameterSets(media).map((set) => set.length))).toEqual([[], [16, 4]]);
  });

  test('the other name of H.265, and the two ways to name a size beyond what JPEG packets can', () => {
    const [hevc, one, other] = parseSdp(
      lines(
        'm=video 0 RTP/AVP 96',
        'a=rtpmap:96 HEVC/90000',
        'a=fmtp:96 sprop-vps=QAEMAf//AWAAAAMA; sprop-sps=QgEBAWAAAAMA; sprop-pps=RAHA8vA8kA==',
        'm=video 0 RTP/AVP 26',
        'a=x-dimensions: 2592, 1944',
        'm=video 0 RTP/AVP 26',
        'a=framesize:26 2592-1944',
      ),
    ).media;
    expect(hevc && spropParameterSets(hevc).map((set) => (set[0] as number) >> 1)).toEqual([32, 33, 34]);
    expect([one?.size, other?.size]).toEqual(Array.from({ length: 2 }, () => ({ width: 2592, height: 1944 })));
  });

  test('media whose payload is no number, an origin with a word too many, a tab behind a media line', () => {
    const sdp = parseSdp(
      lines(
        'o=- 1466 3178 1 IN IP4 192.0.2.9',
        'm=video 0 RTP/AVP 96',
        'a=rtpmap:96 H265/90000',
        'a=control:track1',
        'm=audio 0 RTP/AVP 8\t ',
        'a=control:track2',
        'm=application/VENDOR 0 RTP/AVP smart/1/90000',
        'a=rtpmap:95 VENDOR/90000',
        'a=control:track3',
      ),
    );
    expect(sdp.media.slice(0, 2)).toMatchObject([
      { kind: 'video', encoding: 'H265', control: 'track1' },
      { kind: 'audio', encoding: 'PCMA', control: 'track2' },
    ]);
  });

  test('two tracks of one payload type, an fmtp without parameters, parameter names in any case', () => {
    const { media } = parseSdp(
      lines(
        'm=audio 0 RTP/AVP 96',
        'a=rtpmap:96 mpeg4-generic/48000/1',
        'a=control:trackID=0',
        'a=fmtp:96 streamtype=5; mode=AAC-hbr; config=1188; SizeLength=13; IndexLength=3; IndexDeltaLength=3;',
        'm=audio 0 RTP/AVP 96',
        'a=rtpmap:96 opus/48000/2',
        'a=control:trackID=1',
        'a=fmtp:96',
      ),
    );
    expect(media.map(({ encoding, control }) => `${encoding} ${control}`)).toEqual([
      'MPEG4-GENERIC trackID=0',
      'OPUS trackID=1',
    ]);
    expect(media[0] && auHeaderSizes(media[0])).toEqual({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 });
    expect(media[0] && parseAudioSpecificConfig(aacConfig(media[0])).channels).toBe(1);
    expect(media[1]?.parameters.size).toBe(0);
  });

  test('a profile that is no hex, parameter sets that others may drop, and metadata with parameters that are none', () => {
    const { media } = parseSdp(
      lines(
        'm=video 0 RTP/AVP 96',
        'a=rtpmap:96 H264/90000',
        'a=fmtp:96 profile-level-id=TeAo;packetization-mode=1;sprop-parameter-sets=J0LAHtoCgL/lwFqAgICgAAADACAAAAZR4sXU,KM4PyA==',
        'm=application 0 RTP/AVP 107',
        'a=rtpmap:107 vnd.onvif.metadata/90000',
        'a=fmtp:107 DecoderTag=x-v3 RTCP=0',
      ),
    );
    const sets = media[0] ? spropParameterSets(media[0]) : [];
    expect(sets.map((set) => (set[0] as number) & 31)).toEqual([7, 8]);
    expect(parseH264Sps(sets[0] as Buffer)).toMatchObject({ width: 640, height: 360 });
    expect(media[1]?.encoding).toBe('VND.ONVIF.METADATA');
  });

  test('AAC header sizes default to AAC-hbr', () => {
    const [media] = parseSdp(
      lines('m=audio 0 RTP/AVP 0', 'a=rtpmap:0 MPEG4-GENERIC/16000/2', 'a=fmtp:0 config=1408'),
    ).media;
    expect(media && auHeaderSizes(media)).toEqual({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 });
  });
});

test('a line with several payload types tells each of them, with its own codec and parameters', () => {
  const [media] = parseSdp(
    [
      'v=0',
      'm=audio 0 RTP/AVP 97 0 8',
      'a=rtpmap:97 MPEG4-GENERIC/16000/1',
      'a=fmtp:97 config=1408',
      'a=control:sound',
      'a=sendonly',
    ].join('\n'),
  ).media;
  const codecs = [media, ...(media?.alternatives ?? [])].map((one) => [
    one?.payloadType,
    one?.encoding,
    one?.clockRate,
  ]);
  expect(codecs).toEqual([
    [97, 'MPEG4-GENERIC', 16_000],
    [0, 'PCMU', 8000],
    [8, 'PCMA', 8000],
  ]);
  expect(media?.alternatives[0]).toMatchObject({ control: 'sound', direction: 'sendonly', alternatives: [] });
  expect(media?.alternatives[0]?.parameters.size).toBe(0);
  // A loudspeaker that takes AAC first and G.711 too is given G.711.
  expect(backChannelOf({ control: '', media: media ? [media] : [] })).toMatchObject({
    law: 'pcmu',
    media: { payloadType: 0 },
  });
});

test('any text at all: the typed error or a description', () => {
  const line = fc.oneof(
    fc.string(),
    fc.string().map((text) => `a=fmtp:96 ${text}`),
    fc.string().map((text) => `a=rtpmap:96 ${text}`),
    fc.constantFrom('v=0', 'm=video 0 RTP/AVP 96', 'm=audio 0 RTP/AVP 97 0 8 x', 'm=', 'a=control:*'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (text) => {
      try {
        for (const media of parseSdp(text.join('\n')).media) {
          spropParameterSets(media);
          aacConfig(media);
          auHeaderSizes(media);
        }
      } catch (error) {
        if (!(error instanceof SdpError)) throw error;
      }
    }),
  );
  expect(() => parseSdp(`v=0\n${'m=video 0 RTP/AVP 96\n'.repeat(40)}`)).toThrow(SdpError);
  expect(() => parseSdp('x'.repeat(200_000))).toThrow(SdpError);
});
