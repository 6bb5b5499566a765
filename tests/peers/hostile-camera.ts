// Hostile cameras: one port, and at each path another attack, from endless headers to endless parameter sets.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { writeRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { writeInterleavedHeader } from '@vedette/protocols/rtsp/message.ts';
import { SCRIPTED_SDP } from '@vedette/protocols/rtsp/scripted-device.fake.ts';

export interface HostileRequest {
  readonly method: string;
  readonly sequence: string;
  readonly uri: string;
  readonly transport: string;
}

export interface HostileConnection {
  readonly socket: Socket;
  /** Writes again and again while the line is open and takes it. */
  flood(make: (index: number) => Buffer | string, everyMs?: number): void;
}

export interface HostileVariant {
  readonly name: string;
  /** Such a camera describes itself well and harms later: it may count as online. */
  readonly isOnline?: boolean;
  /** Before any request. */
  readonly greet?: (line: HostileConnection) => void;
  /** Undefined: answered well. */
  readonly answer?: (request: HostileRequest, line: HostileConnection) => string | Buffer | null | undefined;
  /** After the answer to PLAY. */
  readonly media?: (line: HostileConnection) => void;
}

const CRLF = '\r\n';

export function response(
  request: HostileRequest,
  headers: readonly string[] = [],
  body = '',
  status = '200 OK',
): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`RTSP/1.0 ${status}`, `CSeq: ${request.sequence}`, ...headers, ...length, '', body].join(CRLF);
}

const sdp = (body: string) => (request: HostileRequest) =>
  request.method === 'DESCRIBE' ? response(request, ['Content-Type: application/sdp'], body) : undefined;
const describe = (make: (request: HostileRequest, line: HostileConnection) => string | Buffer | null) => {
  return (request: HostileRequest, line: HostileConnection) =>
    request.method === 'DESCRIBE' ? make(request, line) : undefined;
};
const setUp = (transport: string) => (request: HostileRequest) =>
  request.method === 'SETUP' ? response(request, ['Session: 1', `Transport: ${transport}`]) : undefined;

let sequence = 0;
function packet(
  payload: readonly number[] | Buffer,
  more: { ssrc?: number; sequence?: number; time?: number; marker?: boolean } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const frame = Buffer.alloc(16 + bytes.length);
  sequence = (sequence + 1) & 0xffff;
  writeInterleavedHeader(frame, 0, 0, 12 + bytes.length);
  writeRtpHeader(frame, 4, {
    payloadType: 96,
    marker: more.marker ?? false,
    sequence: more.sequence ?? sequence,
    timestamp: more.time ?? 1,
    ssrc: more.ssrc ?? 1,
  });
  bytes.copy(frame, 16);
  return frame;
}

const KILOBYTE = 'a'.repeat(1024);
const VAST = Buffer.alloc(60_000, 0x61);

/** Those that describe themselves badly: offline with a reason. */
const MUTE: readonly HostileVariant[] = [
  { name: 'silent', answer: () => null },
  { name: 'hangs up at once', greet: ({ socket }) => socket.destroy() },
  { name: 'resets at the first request', answer: (_, { socket }) => (socket.resetAndDestroy(), null) },
  { name: 'greets as a mail server', greet: ({ socket }) => void socket.write('220 mail ready\r\n') },
  { name: 'answers as a web server', answer: () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' },
  { name: 'noise', greet: (line) => line.flood((i) => Buffer.from(VAST.map((_, at) => (at * 31 + i * 7) & 255))) },
  {
    name: 'stray bytes without end',
    greet: (line) => line.flood(() => Buffer.alloc(60_000, 0x2e)),
    answer: () => null,
  },
  {
    name: 'header lines without end',
    answer: (_, line) => (line.flood((i) => `${i === 0 ? 'RTSP/1.0 200 OK\r\n' : ''}X-${i}: ${KILOBYTE}\r\n`), null),
  },
  {
    name: 'one header line without end',
    answer: (_, line) => (line.flood((i) => (i === 0 ? 'RTSP/1.0 200 OK\r\nX: ' : VAST)), null),
  },
  {
    name: 'a thousand headers',
    answer: (request) =>
      response(
        request,
        Array.from({ length: 1000 }, (_, i) => `X-${i}: 1`),
      ),
  },
  {
    name: 'Content-Length of 2^63',
    answer: describe((request) => response(request, ['Content-Length: 9223372036854775808'])),
  },
  { name: 'negative Content-Length', answer: describe((request) => response(request, ['Content-Length: -1'])) },
  {
    name: 'Content-Length that is no number',
    answer: describe((request) => response(request, ['Content-Length: 0x10'])),
  },
  {
    name: 'body without end',
    answer: describe(
      (request, line) => (line.flood((i) => (i === 0 ? response(request, ['Content-Length: 999999999']) : VAST)), null),
    ),
  },
  { name: 'a byte a second', answer: (request, line) => (line.flood((i) => response(request)[i] ?? 'x', 1000), null) },
  { name: 'answers of other requests', answer: (request) => response({ ...request, sequence: '99999' }).repeat(2000) },
  { name: 'a description that is none', answer: sdp('hello') },
  { name: 'an empty description', answer: describe((request) => response(request)) },
  { name: 'ten thousand media', answer: sdp(`v=0\r\n${'m=video 0 RTP/AVP 96\r\n'.repeat(10_000)}`) },
  { name: 'no media at all', answer: sdp('v=0\r\ns=x\r\n') },
  { name: 'a description of a megabyte', answer: sdp(SCRIPTED_SDP + 'a=x\r\n'.repeat(200_000)) },
  {
    name: 'refuses every sign-in',
    answer: (request) => response(request, ['WWW-Authenticate: Digest realm="a", nonce="b"'], '', '401 Unauthorized'),
  },
  {
    name: 'a new stale nonce each time',
    answer: (request) =>
      response(
        request,
        [`WWW-Authenticate: Digest realm="a", nonce="${request.sequence}", stale=true`],
        '',
        '401 Unauthorized',
      ),
  },
  { name: 'refuses without a challenge', answer: (request) => response(request, [], '', '401 Unauthorized') },
  {
    name: 'five hundred challenges',
    answer: (request) =>
      response(
        request,
        Array.from({ length: 90 }, () => `WWW-Authenticate: ${'Digest realm="a", '.repeat(8)}`),
        '',
        '401 Unauthorized',
      ),
  },
  {
    name: 'redirects to itself',
    answer: (request) => response(request, [`Location: ${request.uri}`], '', '302 Moved'),
  },
  {
    name: 'redirects to another host',
    answer: (request) => response(request, ['Location: rtsp://192.0.2.1:9/'], '', '302 Moved'),
  },
  { name: 'status 999', answer: (request) => response(request, [], '', '999 What') },
  {
    name: 'not found',
    answer: (request) => (request.method === 'DESCRIBE' ? response(request, [], '', '404 Not Found') : undefined),
  },
];

/** Those that harm once they are let in. */
const ONLINE: readonly HostileVariant[] = [
  { name: 'a clock that stands still', answer: sdp(SCRIPTED_SDP.replace('90000', '0')) },
  {
    name: 'parameter sets of 60 kB in the description',
    answer: sdp(SCRIPTED_SDP.replace('aM4xsg==', 'Z'.repeat(60_000))),
  },
  { name: 'control address of another host', answer: sdp(SCRIPTED_SDP.replace('trackID=0', 'rtsp://192.0.2.1/x')) },
  { name: 'transport that is none', answer: setUp('nonsense;;;=;interleaved=999-1000') },
  {
    name: 'a session id of ten kilobytes',
    answer: (request) =>
      request.method === 'SETUP'
        ? response(request, [`Session: ${KILOBYTE.repeat(10)}`, `Transport: ${request.transport}`])
        : undefined,
  },
  { name: 'PLAY is never answered', answer: (request) => (request.method === 'PLAY' ? null : undefined) },
  { name: 'plays nothing' },
  {
    name: 'frames of foreign channels',
    media: (line) => line.flood((i) => Buffer.concat([Buffer.from([0x24, 2 + (i % 250), 0xea, 0x60]), VAST])),
  },
  {
    name: 'a fragmented unit without end',
    media: (line) =>
      line.flood((i) => packet(Buffer.concat([Buffer.from([0x7c, i === 0 ? 0x85 : 5]), VAST]), { marker: false })),
  },
  {
    name: 'units of length zero',
    media: (line) => line.flood(() => packet([0x78, 0, 0, 0, 0, 0, 0], { marker: true })),
  },
  {
    name: 'a picture of 65535 squared',
    media: (line) =>
      line.flood(
        (i) =>
          packet(
            i % 2 === 0
              ? [0x67, 0x42, 0, 0x29, 0x00, 0x00, 0x80, 0x00, 0x80, 0x00, 0xff, 0xff, 0xff]
              : [0x65, 0x88, 1, 2],
            { marker: true, time: i * 3600 },
          ),
        5,
      ),
  },
  {
    name: 'another source in every packet',
    media: (line) => line.flood((i) => packet([0x65, 0x88, 1, 2], { ssrc: i * 7919, marker: true, time: i * 3600 }), 5),
  },
  {
    name: 'sequence numbers that jump',
    media: (line) =>
      line.flood(
        (i) => packet([0x65, 0x88, 1, i & 255], { sequence: (i * 30_011) & 0xffff, marker: true, time: i * 3600 }),
        5,
      ),
  },
  {
    name: 'five thousand parameter sets a second',
    media: (line) => line.flood((i) => packet([0x68, 0x80 | (i & 127), i & 255, (i >> 8) & 255, 1], { marker: false })),
  },
  {
    name: 'times that jump by hours',
    media: (line) =>
      line.flood((i) => packet([0x65, 0x88, 1, i & 255], { marker: true, time: (i * 2_654_435_761) >>> 0 }), 5),
  },
];

export const HOSTILE_VARIANTS: readonly HostileVariant[] = [
  ...MUTE,
  ...ONLINE.map((variant) => ({ ...variant, isOnline: true })),
];

export class HostileCameras {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Requests by variant. */
  readonly requests = new Map<number, number>();

  private constructor() {
    this.#server = createServer();
  }

  static async listen(): Promise<HostileCameras[]> {
    // A greeting comes before any path is known, so each variant has a port of its own.
    return await Promise.all(
      HOSTILE_VARIANTS.map(async (variant) => {
        const camera = new HostileCameras();
        camera.#server.on('connection', (socket) => camera.#accept(socket, variant));
        camera.#server.listen(0, '127.0.0.1');
        await once(camera.#server, 'listening');
        return camera;
      }),
    );
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `rtsp://127.0.0.1:${address.port}/hostile`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket, variant: HostileVariant): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const line: HostileConnection = { socket, flood: (make, everyMs = 0) => flood(socket, make, everyMs) };
    variant.greet?.(line);
    let held = '';
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1');
      for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
        this.#answer(held.slice(0, end), variant, line);
        held = held.slice(end + 4);
      }
      if (held.length > 10_000) held = '';
    });
  }

  #answer(head: string, variant: HostileVariant, line: HostileConnection): void {
    const request = requestOf(head);
    const answer = variant.answer?.(request, line);
    if (line.socket.destroyed) return;
    if (answer !== undefined) {
      if (answer !== null) line.socket.write(answer);
      return;
    }
    line.socket.write(wellBehaved(request));
    if (request.method === 'PLAY') variant.media?.(line);
  }
}

function requestOf(head: string): HostileRequest {
  const [, method = '', uri = ''] = /([A-Z_]+) (\S+) RTSP/.exec(head) ?? [];
  const sequence = /CSeq: *(\d+)/i.exec(head)?.[1] ?? '0';
  const transport = /Transport: *([^\r]*)/i.exec(head)?.[1] ?? '';
  return { method, uri, sequence, transport };
}

function wellBehaved(request: HostileRequest): string {
  if (request.method === 'DESCRIBE') return response(request, ['Content-Type: application/sdp'], SCRIPTED_SDP);
  if (request.method === 'SETUP') return response(request, ['Session: 1', `Transport: ${request.transport}`]);
  return response(request, ['Session: 1', 'Public: OPTIONS, DESCRIBE, SETUP, PLAY']);
}

/** About a megabyte a second and line: harm enough, while the rest of the test runs on the same machine. */
const FLOOD_EVERY_MS = 50;

function flood(socket: Socket, make: (index: number) => Buffer | string, everyMs: number): void {
  let index = 0;
  const next = (): void => {
    if (socket.destroyed) return;
    if (!socket.writableNeedDrain) {
      socket.write(make(index));
      index += 1;
    }
    setTimeout(next, everyMs > 0 ? everyMs : FLOOD_EVERY_MS);
  };
  next();
}
