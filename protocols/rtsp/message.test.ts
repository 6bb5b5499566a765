// Proves the RTSP byte parser: any cut, both line ends, limits, and nothing but the typed error on mutated input.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeRtspRequest,
  encodeRtspResponse,
  RtspHeaders,
  RtspParseError,
  RtspParser,
  writeInterleavedHeader,
} from './message.ts';

function collect(pieces: Buffer[]): string[] {
  const seen: string[] = [];
  const parser = new RtspParser({
    request: (r) => seen.push(`${r.method} ${r.uri} ${r.headers.get('cseq')} ${r.body.toString()}`),
    response: (r) => seen.push(`${r.status} ${r.reason} ${r.headers.get('CSEQ')} ${r.body.toString()}`),
    interleaved: (channel, buffer, start, end) => seen.push(`$${channel} ${buffer.toString('latin1', start, end)}`),
  });
  for (const piece of pieces) {
    const shared = Buffer.from(piece);
    parser.push(shared);
    shared.fill(0xff);
  }
  return seen;
}

function frame(channel: number, payload: string): Buffer {
  const bytes = Buffer.alloc(4 + payload.length);
  writeInterleavedHeader(bytes, 0, channel, payload.length);
  bytes.write(payload, 4, 'latin1');
  return bytes;
}

const wire = Buffer.concat([
  encodeRtspResponse(200, 'OK', RtspHeaders.of({ CSeq: '1' }), Buffer.from('v=0\r\n')),
  frame(0, 'packet'),
  Buffer.from('\r\n'),
  frame(1, ''),
  Buffer.from('RTSP/1.0 404 Not Found\nCSeq:  2 \n\n'),
  encodeRtspRequest('GET_PARAMETER', 'rtsp://a/b', RtspHeaders.of({ CSeq: '9' })),
  frame(2, 'x'.repeat(5000)),
]);
const expected = [
  '200 OK 1 v=0\r\n',
  '$0 packet',
  '$1 ',
  '404 Not Found 2 ',
  'GET_PARAMETER rtsp://a/b 9 ',
  `$2 ${'x'.repeat(5000)}`,
];

test('messages and frames come out whole however the bytes are cut', () => {
  expect(collect([wire])).toEqual(expected);
  expect(collect([...wire].map((byte) => Buffer.of(byte)))).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(wire.length), { maxLength: 12 }), (cuts) => {
      const points = [0, ...cuts.toSorted((a, b) => a - b), wire.length];
      const pieces = points.slice(1).map((to, i) => wire.subarray(points[i], to));
      expect(collect(pieces)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test('limits cut a peer off with the typed error', () => {
  const cases: [string, string][] = [
    [`RTSP/1.0 200 OK\r\nX: ${'a'.repeat(20_000)}`, 'head-too-long'],
    [`RTSP/1.0 200 OK\r\n${'A: b\r\n'.repeat(200)}\r\n`, 'too-many-headers'],
    ['RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n', 'body-too-long'],
    ['RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n', 'bad-content-length'],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'bad-first-line'],
    ['\0'.repeat(70_000), 'stray-bytes'],
  ];
  for (const [text, code] of cases) {
    expect(() => collect([Buffer.from(text)])).toThrow(new RtspParseError(code as RtspParseError['code']));
  }
});

test('mutated input throws nothing but RtspParseError', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(wire.length - 1), fc.nat(255)), { maxLength: 20 }),
      fc.nat(60),
      (edits, cut) => {
        const bytes = Buffer.from(wire);
        for (const [at, value] of edits) bytes[at] = value;
        try {
          collect([bytes.subarray(0, cut), bytes.subarray(cut)]);
        } catch (error) {
          if (!(error instanceof RtspParseError)) throw error;
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a header value cannot start a new line', () => {
  const bytes = encodeRtspRequest('PLAY', 'rtsp://a', RtspHeaders.of({ A: 'b\r\nEvil: 1' }));
  expect(bytes.toString()).toBe('PLAY rtsp://a RTSP/1.0\r\nA: b Evil: 1\r\n\r\n');
});
