// Fuzzes RTSP: messages, header fields, authentication challenges and session descriptions.
import { parseChallenges } from '@vedette/protocols/http-digest/challenge.ts';
import { chooseChallenge } from '@vedette/protocols/rtsp/authentication.ts';
import { parsePublic, parseRtpInfo, parseSession, parseTransport } from '@vedette/protocols/rtsp/header-fields.ts';
import { RTSP_LIMITS, RtspParseError, RtspParser } from '@vedette/protocols/rtsp/message.ts';
import { controlUrl, parseRtspUrl, presentationBase } from '@vedette/protocols/rtsp/request-url.ts';
import { SCRIPTED_SDP } from '@vedette/protocols/rtsp/scripted-device.fake.ts';
import { auHeaderSizes, spropParameterSets } from '@vedette/protocols/sdp/parameter-sets.ts';
import { parseSdp, SDP_LIMITS, SdpError } from '@vedette/protocols/sdp/sdp.ts';
import { selectTracks } from '../../media/source/track-selection.ts';
import { expect, it } from 'vitest';
import { capturedFiles } from './engine/fixtures.ts';
import { fuzz } from './engine/fuzz.ts';

const ANSWER = [
  'RTSP/1.0 200 OK',
  'CSeq: 3',
  'Session: 12345;timeout=60',
  'Transport: RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=0A0B0C0D',
  'RTP-Info: url=rtsp://a/trackID=0;seq=1;rtptime=2,url=rtsp://a/trackID=1;seq=3;rtptime=4',
  'WWW-Authenticate: Digest realm="cam", nonce="0123", qop="auth", algorithm=SHA-256, stale=true',
  'WWW-Authenticate: Basic realm="cam"',
  'Public: OPTIONS, DESCRIBE, SETUP',
  `Content-Length: ${SCRIPTED_SDP.length}`,
  '',
  SCRIPTED_SDP,
].join('\r\n');

const FRAME = Buffer.from([0x24, 0, 0, 16, 0x80, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0x65, 0x88, 1, 2]);
const WORDS = [
  '\r\n',
  '\r\n\r\n',
  '$',
  'RTSP/1.0 ',
  'Content-Length: ',
  '-1',
  '9223372036854775808',
  ';',
  '=',
  '"',
  ',',
];
const captured = (): Buffer[] => capturedFiles('sdp/', /\.txt$/);

it('[SE-82] RTSP messages and interleaved frames, in any fragmentation', async () => {
  const report = await fuzz({
    name: 'rtsp-message',
    seeds: [Buffer.from(ANSWER), FRAME, Buffer.concat([FRAME, Buffer.from(ANSWER), FRAME]), ...captured()],
    words: WORDS,
    allowed: [RtspParseError],
    outputMax: (bytes) => bytes + RTSP_LIMITS.headBytes,
    run: (input) => {
      let made = 0;
      const parser = new RtspParser({
        request: (request) => {
          made += request.uri.length + request.body.length;
        },
        response: (response) => {
          made += response.body.length;
          for (const [name, value] of response.headers.entries()) made += name.length + value.length;
        },
        interleaved: (_channel, _buffer, start, end) => {
          made += end - start;
        },
      });
      const piece = 1 + ((input[0] ?? 0) % 200);
      for (let at = 0; at < input.length; at += piece) parser.push(input, at, Math.min(input.length, at + piece));
      return made;
    },
  });
  expect(report.inputs).toBeGreaterThan(500);
});

it('[SE-82] header fields, challenges and addresses', async () => {
  await fuzz({
    name: 'rtsp-fields',
    seeds: [...ANSWER.split('\r\n').slice(2, 8), 'rtsp://user:pw@[fe80::1]:554/a?b#c', '../x'].map((text) =>
      Buffer.from(text),
    ),
    words: WORDS,
    outputMax: (bytes) => 40 * bytes + 1000,
    run: (input) => {
      const text = input.toString('latin1');
      parseSession(text);
      parseTransport(text);
      const base = presentationBase('rtsp://camera/live', text, undefined);
      parseRtspUrl(text);
      chooseChallenge([text]);
      return (
        parsePublic([text]).size +
        parseRtpInfo(text).length +
        parseChallenges([text]).length +
        controlUrl(base, text).length
      );
    },
  });
});

it('[SE-80] [SE-82] session descriptions, and the tracks selected from them', async () => {
  const hostile = [
    SCRIPTED_SDP.replace('90000', '0'),
    `${SCRIPTED_SDP}${'m=video 0 RTP/AVP 96\r\n'.repeat(1000)}`,
    SCRIPTED_SDP.replace('Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==', 'Z'.repeat(60_000)),
    SCRIPTED_SDP.replace('trackID=0', '\0../../*'),
  ];
  await fuzz({
    name: 'sdp',
    seeds: [...[SCRIPTED_SDP, ...hostile].map((text) => Buffer.from(text)), ...captured()],
    words: [
      'a=rtpmap:',
      'a=fmtp:96 ',
      'm=audio 0 RTP/AVP 97',
      'sprop-parameter-sets=',
      'config=',
      'a=control:',
      '/0',
      '\r\n',
    ],
    allowed: [SdpError],
    outputMax: () => SDP_LIMITS.media * (16 * 4096 + 3),
    run: (input) => {
      const sdp = parseSdp(input.toString('utf8'));
      const { audioFormat } = selectTracks(sdp);
      if (audioFormat && !(audioFormat.sampleRate > 0)) throw new Error('a sound without a rate was chosen');
      return sdp.media.reduce((sum, media) => {
        if (!(media.clockRate > 0)) throw new Error('a clock that stands still');
        auHeaderSizes(media);
        return sum + spropParameterSets(media).reduce((bytes, set) => bytes + set.length, 0);
      }, 0);
    },
  });
});
