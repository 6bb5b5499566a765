// A camera that changed after it was added: another certificate, a plain-text password request, or a downgrade from TLS.
import { once } from 'node:events';
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { SCRIPTED_SDP } from '@vedette/protocols/rtsp/scripted-device.fake.ts';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export type Side = 'good' | 'basic' | 'plain';

const CRLF = '\r\n';

/** Lets everybody in who answers its challenge: what is looked at is what it is sent. */
export class ImpostorCamera {
  side: Side = 'good';
  /** Request heads, as they came. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #isSecure: boolean;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, isSecure: boolean) {
    this.#server = server;
    this.#isSecure = isSecure;
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => this.#accept(socket));
    // Who hangs up in the middle of a handshake.
    server.on('tlsClientError', () => undefined);
  }

  static async listen(host: string, certificate?: Certificate): Promise<ImpostorCamera> {
    const server = certificate ? createTlsServer(certificate) : createPlainServer();
    const camera = new ImpostorCamera(server, certificate !== undefined);
    server.listen(0, host);
    await once(server, 'listening');
    return camera;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return address.port;
  }

  url(host = '127.0.0.1'): string {
    return `${this.#isSecure ? 'rtsps' : 'rtsp'}://${host}:${this.port}/live`;
  }

  /** From the next handshake on. */
  setCertificate(certificate: Certificate): void {
    (this.#server as TlsServer).setSecureContext(certificate);
  }

  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let held = '';
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1');
      for (let end = held.indexOf(CRLF + CRLF); end >= 0; end = held.indexOf(CRLF + CRLF)) {
        const head = held.slice(0, end);
        held = held.slice(end + 4);
        this.requests.push(head);
        socket.write(this.#answer(head));
      }
    });
  }

  #answer(head: string): string {
    const [, method = ''] = /^([A-Z_]+) /.exec(head) ?? [];
    const sequence = /CSeq: *(\d+)/i.exec(head)?.[1] ?? '0';
    const say = (status: string, headers: readonly string[] = [], body = ''): string =>
      [`RTSP/1.0 ${status}`, `CSeq: ${sequence}`, ...headers, `Content-Length: ${body.length}`, '', body].join(CRLF);
    if (this.side === 'plain') return say('302 Moved', [`Location: rtsp://127.0.0.1:${this.port}/live`]);
    if (!/Authorization:/i.test(head) && method === 'DESCRIBE') {
      const challenge =
        this.side === 'basic' ? 'Basic realm="camera"' : 'Digest realm="camera", nonce="once", qop="auth"';
      return say('401 Unauthorized', [`WWW-Authenticate: ${challenge}`]);
    }
    if (method === 'DESCRIBE') return say('200 OK', ['Content-Type: application/sdp'], SCRIPTED_SDP);
    return say('200 OK', ['Session: 1', ...transportLines(head)]);
  }
}

/** As it was asked for. */
function transportLines(head: string): string[] {
  const transport = /Transport: *([^\r\n]*)/i.exec(head)?.[1] ?? '';
  return transport === '' ? [] : [`Transport: ${transport}`];
}
