// RTSP relay between a camera and its client: cut at a byte, silent, gone, packets lost, corrupted, duplicated, delayed.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** What becomes of one `$` frame on its way to the client: nothing, itself, or several; `index` counts the frames of the line. */
export type PacketFault = (frame: Buffer, index: number) => readonly Buffer[];

interface RelayedConnection {
  readonly client: Socket;
  readonly camera: Socket;
}

const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** Second byte of a `$` frame. */
export const RTP_VIDEO_CHANNEL = 0;
const DOLLAR = 0x24;

export class RtspRelay {
  readonly #cameraPort: number;
  readonly #connections = new Set<RelayedConnection>();
  #server: Server | null = null;
  #port = 0;
  /** Bytes to the client after which the line in hand is reset; null: never. */
  cutAfterBytes: number | null = null;
  /** Lines stay open and nothing passes. */
  isFrozen = false;
  packetFault: PacketFault | null = null;
  /** Reports of the client reach the camera, with them what asks for a keyframe (RFC 4585). */
  passesReports = true;
  /** Changes the text of requests and answers; where media go by UDP their ports are exchanged here. */
  rewrite: (text: string, isAnswer: boolean) => string = (text) => text;
  /** Milliseconds by which a block of bytes is held back; the order stays, as TCP keeps it. */
  delayMs: () => number = () => 0;
  /** More lines at a time are refused, as cameras do that allow few sessions. */
  maxConnections = Infinity;
  refusedConnections = 0;
  /** Requests of the client that carried a sign-in. */
  signIns = 0;
  connections = 0;
  cuts = 0;
  /** Pictures whose last packet was passed on whole. */
  framesRelayed = 0;
  frames = 0;

  private constructor(cameraPort: number) {
    this.#cameraPort = cameraPort;
  }

  static async open(cameraPort: number): Promise<RtspRelay> {
    const relay = new RtspRelay(cameraPort);
    await relay.answer();
    return relay;
  }

  get port(): number {
    return this.#port;
  }

  /** As if the camera had power again, at the same address. */
  async answer(): Promise<void> {
    const server = createServer((client) => this.#accept(client));
    // Where the system takes no ports from for those who connect: while nobody listens there, one of them would have it soon.
    while (!(await listens(server, this.#port || FIRST_PORT + Math.floor(Math.random() * PORTS)))) {
      if (this.#port !== 0) throw new Error(`port ${this.#port} was taken meanwhile`);
    }
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** As if the camera had no power: lines reset, connections refused. */
  async vanish(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const line of this.#connections) reset(line);
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  async close(): Promise<void> {
    await this.vanish();
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  #accept(client: Socket): void {
    this.connections += 1;
    if (this.#connections.size >= this.maxConnections) {
      this.refusedConnections += 1;
      client.on('error', () => client.destroy());
      client.write('RTSP/1.0 453 Not Enough Bandwidth\r\nCSeq: 1\r\n\r\n');
      client.destroySoon();
      return;
    }
    const camera = connect(this.#cameraPort, '127.0.0.1');
    const line: RelayedConnection = { client, camera };
    this.#connections.add(line);
    client.setNoDelay(true);
    client.on('data', (bytes: Buffer) => {
      // Requests are small and come one at a time.
      if (bytes.includes('\r\nAuthorization: ')) this.signIns += 1;
      // Reports between the requests are no text.
      const isText = bytes[0] !== DOLLAR;
      if (!isText && !this.passesReports) return;
      if (!this.isFrozen) camera.write(isText ? this.rewrite(bytes.toString('latin1'), false) : bytes, 'latin1');
    });
    let passed = 0;
    let due = Promise.resolve();
    const splitter = new FrameSplitter();
    camera.on('data', (bytes: Buffer) => {
      if (this.isFrozen) return;
      for (const piece of splitter.push(bytes)) {
        const delay = this.delayMs();
        const send = (): void => {
          passed = this.#pass(line, piece, passed);
        };
        if (delay <= 0) send();
        else due = due.then(() => later(delay)).then(send);
      }
    });
    for (const socket of [client, camera]) {
      // Either side's end is part of the play.
      socket.on('error', () => reset(line));
      socket.on('close', () => {
        reset(line);
        this.#connections.delete(line);
      });
    }
  }

  #pass(line: RelayedConnection, piece: Piece, passed: number): number {
    if (line.client.destroyed) return passed;
    const faulted = piece.isFrame && this.packetFault ? this.packetFault(piece.bytes, this.frames) : [piece.bytes];
    if (piece.isFrame) this.frames += 1;
    const bytes = piece.isFrame
      ? Buffer.concat(faulted)
      : Buffer.from(this.rewrite(piece.bytes.toString('latin1'), true), 'latin1');
    const cutAt = this.cutAfterBytes;
    if (cutAt !== null && passed + bytes.length > cutAt) {
      line.client.write(bytes.subarray(0, Math.max(0, cutAt - passed)), () => reset(line));
      this.cutAfterBytes = null;
      this.cuts += 1;
      return Infinity;
    }
    if (passed === Infinity) return passed;
    line.client.write(bytes);
    if (piece.isFrame && isLastOfPicture(piece.bytes)) this.framesRelayed += 1;
    return passed + bytes.length;
  }
}

function reset({ client, camera }: RelayedConnection): void {
  if (!client.destroyed) client.resetAndDestroy();
  if (!camera.destroyed) camera.resetAndDestroy();
}

export function isLastOfPicture(frame: Buffer): boolean {
  return frame[1] === RTP_VIDEO_CHANNEL && ((frame[5] ?? 0) & 0x80) !== 0;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

interface Piece {
  readonly isFrame: boolean;
  readonly bytes: Buffer;
}

/** Cuts what a camera sends into `$` frames and everything else. */
class FrameSplitter {
  #held = Buffer.alloc(0);
  #bodyLeft = 0;

  push(bytes: Buffer): Piece[] {
    this.#held = Buffer.concat([this.#held, bytes]);
    const pieces: Piece[] = [];
    for (let piece = this.#next(); piece; piece = this.#next()) pieces.push(piece);
    return pieces;
  }

  #next(): Piece | null {
    const held = this.#held;
    if (held.length === 0) return null;
    if (this.#bodyLeft > 0) return this.#take(Math.min(this.#bodyLeft, held.length), false, true);
    if (held[0] === DOLLAR) {
      const length = held.length < 4 ? Infinity : 4 + held.readUInt16BE(2);
      return held.length < length ? null : this.#take(length, true, false);
    }
    const end = held.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = held.toString('latin1', 0, end);
    const piece = this.#take(end + 4, false, false);
    this.#bodyLeft = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return piece;
  }

  #take(count: number, isFrame: boolean, isBody: boolean): Piece {
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    if (isBody) this.#bodyLeft -= count;
    return { isFrame, bytes };
  }
}

/** False where the port is taken. */
async function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
}
