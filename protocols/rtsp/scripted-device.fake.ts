// A device for tests: answers RTSP on loopback as told, faults included, and sends packets on demand.
import { createServer, type Server, type Socket } from 'node:net';
import { writeRtpHeader } from '../rtp/packet.ts';
import { encodeRtspResponse, RtspHeaders, RtspParser, type RtspRequest, writeInterleavedHeader } from './message.ts';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Several headers of one name. */
  readonly more?: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Leaves the request unanswered. */
  readonly silent?: boolean;
  /** Closes the connection after the answer. */
  readonly close?: boolean;
}

export type Script = (request: RtspRequest, device: ScriptedDevice, socket: Socket) => ScriptedAnswer;

export class ScriptedDevice {
  readonly requests: RtspRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #sequence = new Map<number, number>();
  connections = 0;
  script: Script;

  private constructor(script: Script) {
    this.script = script;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  static async listen(script: Script): Promise<ScriptedDevice> {
    const device = new ScriptedDevice(script);
    const { promise, resolve } = Promise.withResolvers<void>();
    device.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return device;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return address.port;
  }

  get url(): string {
    return `rtsp://127.0.0.1:${this.port}/live`;
  }

  methods(): string[] {
    return this.requests.map((request) => request.method);
  }

  /** One RTP packet to every connection; the sequence number goes on unless `skip` leaves some out. */
  sendRtp(
    channel: number,
    payload: Buffer,
    options: { timestamp: number; marker: boolean; payloadType?: number; skip?: number },
  ): void {
    const sequence = (this.#sequence.get(channel) ?? 100) + (options.skip ?? 0);
    this.#sequence.set(channel, sequence + 1);
    const packet = Buffer.alloc(16 + payload.length);
    writeInterleavedHeader(packet, 0, channel, 12 + payload.length);
    const { timestamp, marker, payloadType = 96 } = options;
    writeRtpHeader(packet, 4, { payloadType, marker, sequence, timestamp, ssrc: 7 + channel });
    payload.copy(packet, 16);
    this.sendBytes(packet);
  }

  sendBytes(bytes: Buffer): void {
    for (const socket of this.#sockets) socket.write(bytes);
  }

  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends every connection as a device does that loses its power a moment later. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // A client that leaves in the middle is part of the play.
    socket.on('error', () => socket.destroy());
    const parser = new RtspParser({
      request: (request) => this.#answer(request, socket),
      response: () => undefined,
      interleaved: () => undefined,
    });
    socket.on('data', (chunk: Buffer) => parser.push(chunk));
  }

  #answer(request: RtspRequest, socket: Socket): void {
    this.requests.push(request);
    const answer = this.script(request, this, socket);
    if (answer.silent !== true) {
      const headers = RtspHeaders.of({ CSeq: request.headers.get('CSeq'), ...answer.headers });
      for (const [name, value] of answer.more ?? []) headers.append(name, value);
      socket.write(encodeRtspResponse(answer.status ?? 200, 'Scripted', headers, Buffer.from(answer.body ?? '')));
    }
    if (answer.close === true) socket.end();
  }
}

export const SCRIPTED_SDP = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=Scripted',
  't=0 0',
  'a=control:*',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==,aM4xsg==',
  'a=control:trackID=0',
  'm=audio 0 RTP/AVP 8',
  'a=control:trackID=1',
  '',
].join('\r\n');

/** What a well-behaved device answers; scripts change single methods. */
export function wellBehaved(request: RtspRequest): ScriptedAnswer {
  switch (request.method) {
    case 'OPTIONS':
      return { headers: { Public: 'OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER', Server: 'Scripted/1.0' } };
    case 'DESCRIBE':
      return { headers: { 'Content-Type': 'application/sdp', 'Content-Base': `${request.uri}/` }, body: SCRIPTED_SDP };
    case 'SETUP':
      return { headers: { Transport: request.headers.get('Transport') ?? '', Session: '12345;timeout=60' } };
    default:
      return { headers: { Session: '12345' } };
  }
}
