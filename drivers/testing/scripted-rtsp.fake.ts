// An RTSP server for tests that answers DESCRIBE by path with a given text; written without the codecs it tests.
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';

export interface RtspReply {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface RtspAsk {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly authorization: string | null;
}

export class ScriptedRtsp {
  readonly asked: RtspAsk[] = [];
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(reply: (ask: RtspAsk) => RtspReply): Promise<ScriptedRtsp> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const scripted = new ScriptedRtsp(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => scripted.#serve(socket, reply));
    return scripted;
  }

  url(path: string): string {
    return `rtsp://127.0.0.1:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket, reply: (ask: RtspAsk) => RtspReply): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        const [, method = '', path = ''] = /^(\w+) rtsp:\/\/[^/?\s]*(\S*)/u.exec(head) ?? [];
        const ask = { method, path, authorization: /^Authorization: (.*)$/imu.exec(head)?.[1] ?? null };
        this.asked.push(ask);
        const { status, headers = [], body = '' } = reply(ask);
        const sequence = /^CSeq: (.*)$/imu.exec(head)?.[1] ?? '';
        const lines = [`RTSP/1.0 ${status} X`, `CSeq: ${sequence}`, `Content-Length: ${body.length}`, ...headers];
        socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
      }
    });
  }
}

export function sdpOf(...media: readonly string[]): string {
  return ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=x', 't=0 0', ...media, ''].join('\r\n');
}

/** 640 x 360, from x264. */
export const h264Media =
  'm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0LAHtoCgL/lwFqAgICgAAADACAAAAZR4sXU,aM4PyA==\r\na=control:track1';
