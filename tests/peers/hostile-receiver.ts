// An HTTP receiver of messages on a bare socket: a script gets each request and does to the connection what it likes.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export type ReceiverScript = (exchange: Exchange) => void;

export interface Exchange {
  readonly socket: Socket;
  /** Head and body, as they came. */
  readonly request: string;
}

export class HostileReceiver {
  readonly requests: string[] = [];
  readonly sockets: Socket[] = [];
  script: ReceiverScript;
  readonly #server: Server;

  private constructor(script: ReceiverScript) {
    this.script = script;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async listen(script: ReceiverScript, host = '127.0.0.1'): Promise<HostileReceiver> {
    const receiver = new HostileReceiver(script);
    receiver.#server.listen(0, host);
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(scheme: 'http' | 'https' = 'http'): string {
    return `${scheme}://127.0.0.1:${this.port}`;
  }

  get bytesSent(): number {
    return this.sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  }

  get openCount(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.sockets.push(socket);
    // Whoever hangs up does what is hoped for.
    socket.on('error', () => socket.destroy());
    let request = '';
    socket.on('data', (chunk: Buffer) => {
      const wasWhole = isWhole(request);
      request += chunk.toString('latin1');
      if (wasWhole || !isWhole(request)) return;
      this.requests.push(request);
      this.script({ socket, request });
    });
  }
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
  return end !== -1 && request.length >= end + 4 + length;
}

/** Of 64 MB; made once, as that takes a while. */
const BOMB = gzipSync(Buffer.alloc(64 << 20));
const OK = 'HTTP/1.1 200 OK\r\n';

/** `part` again and again, as fast as it is taken, until the other side hangs up. */
function pour(socket: Socket, part: string): void {
  const push = (): void => {
    while (!socket.destroyed && socket.write(part)) continue;
  };
  socket.on('drain', push);
  push();
}

/** One byte a second. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 1000);
  socket.on('close', () => clearInterval(timer));
}

function answer(status: string, headers: Readonly<Record<string, string>>, body = ''): ReceiverScript {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return ({ socket }) => socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`);
}

export const redirectTo = (location: string): ReceiverScript => answer('307 Temporary Redirect', { location });

export const refuseWith = (text: string, retryAfter = ''): ReceiverScript =>
  answer(`403 ${text.replaceAll(/[\r\n]/g, '')}`, retryAfter === '' ? {} : { 'retry-after': retryAfter }, text);

/** What a receiver can do to who sends to it. `ends`: what comes of a message, either where two can. */
export const HOSTILE_ANSWERS: readonly {
  readonly name: string;
  readonly script: ReceiverScript;
  readonly ends: readonly ('done' | 'unreachable')[];
}[] = [
  { name: 'never answers', script: () => undefined, ends: ['unreachable'] },
  { name: 'closes at once', script: ({ socket }) => socket.destroy(), ends: ['unreachable'] },
  { name: 'is no HTTP', script: ({ socket }) => pour(socket, '\xff'.repeat(65_536)), ends: ['unreachable'] },
  {
    name: 'sends a body without end',
    script: ({ socket }) => {
      socket.write(`${OK}\r\n`);
      pour(socket, 'x'.repeat(65_536));
    },
    ends: ['done', 'unreachable'],
  },
  {
    name: 'drips its body',
    script: ({ socket }) => {
      socket.write(`${OK}content-length: 100000\r\n\r\n`);
      drip(socket, 'x');
    },
    ends: ['unreachable'],
  },
  {
    name: 'drips its head',
    script: ({ socket }) => {
      socket.write(`${OK}x-a: `);
      drip(socket, 'b');
    },
    ends: ['unreachable'],
  },
  {
    name: 'sends headers without end',
    script: ({ socket }) => {
      socket.write(OK);
      pour(socket, `x-a: ${'b'.repeat(1000)}\r\n`);
    },
    ends: ['unreachable'],
  },
  {
    name: 'sends interim answers without end',
    script: ({ socket }) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
    ends: ['unreachable'],
  },
  {
    name: 'sends chunks of extensions without end',
    script: ({ socket }) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, `1;${'e'.repeat(1000)}\r\nx\r\n`);
    },
    ends: ['unreachable'],
  },
  {
    name: 'sends trailers without end',
    script: ({ socket }) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`);
      pour(socket, `x-a: ${'b'.repeat(1000)}\r\n`);
    },
    ends: ['done', 'unreachable'],
  },
  {
    name: 'sends a gzip bomb',
    script: ({ socket }) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
      socket.write(BOMB);
    },
    ends: ['done'],
  },
  {
    name: 'breaks off in the middle',
    script: ({ socket }) => {
      socket.write(`${OK}content-length: 1000\r\n\r\nabc`, () => socket.resetAndDestroy());
    },
    ends: ['unreachable'],
  },
  {
    name: 'answers and keeps the connection open',
    script: ({ socket }) => socket.write(`${OK}connection: keep-alive\r\ncontent-length: 2\r\n\r\n{}`),
    ends: ['done'],
  },
];
