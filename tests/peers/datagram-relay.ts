// UDP relay between a camera and its client that loses, duplicates, reorders and delays datagrams.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { RtspRelay } from './rtsp-relay.ts';

/** When each copy of a datagram goes on, ms from now: none is a loss, two are a double. */
export type DatagramFault = (index: number) => readonly number[];

const HERE = '127.0.0.1';
const CLEAN: DatagramFault = () => [0];

interface Ends {
  client: number;
  camera: number;
}

/** One media track; requests and answers of its set-up must pass the RTSP relay beside it. */
export class DatagramRelay {
  readonly rtsp: RtspRelay;
  readonly #sockets: readonly [Socket, Socket];
  readonly #port: number;
  /** First port of either side's pair. */
  readonly #ends: Ends = { client: 0, camera: 0 };
  fault: DatagramFault = CLEAN;
  datagrams = 0;
  /** Datagrams held back; a closed relay sends none of them. */
  readonly #held = new Set<NodeJS.Timeout>();

  private constructor(rtsp: RtspRelay, sockets: readonly [Socket, Socket], port: number) {
    this.rtsp = rtsp;
    this.#sockets = sockets;
    this.#port = port;
    rtsp.rewrite = (text, isAnswer) => this.#exchangePorts(text, isAnswer);
    for (const [index, socket] of sockets.entries()) {
      socket.on('message', (bytes, from) => this.#pass(index, bytes, from.port));
    }
  }

  static async open(cameraPort: number): Promise<DatagramRelay> {
    const rtsp = await RtspRelay.open(cameraPort);
    for (;;) {
      const first = await bound(0);
      const port = first?.address().port ?? 0;
      const second = first && port % 2 === 0 ? await bound(port + 1) : null;
      if (first && second) return new DatagramRelay(rtsp, [first, second], port);
      first?.close();
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#held) clearTimeout(timer);
    this.#held.clear();
    for (const socket of this.#sockets) socket.close();
    await this.rtsp.close();
  }

  #exchangePorts(text: string, isAnswer: boolean): string {
    const ours = `${this.#port}-${this.#port + 1}`;
    if (!isAnswer) {
      return text.replace(/client_port=(\d+)-\d+/, (_, port: string) => {
        this.#ends.client = Number(port);
        return `client_port=${ours}`;
      });
    }
    const { client } = this.#ends;
    return text
      .replace(/client_port=\d+-\d+/, `client_port=${client}-${client + 1}`)
      .replace(/server_port=(\d+)-\d+/, (_, port: string) => {
        this.#ends.camera = Number(port);
        return `server_port=${ours}`;
      });
  }

  #pass(index: number, bytes: Buffer, from: number): void {
    const { client, camera } = this.#ends;
    const isMedia = from === camera + index;
    const to = (isMedia ? client : camera) + index;
    if (to === index) return;
    const delays = isMedia && index === 0 ? this.fault(this.datagrams) : [0];
    if (isMedia && index === 0) this.datagrams += 1;
    for (const delay of delays) {
      const send = () => this.#sockets[index]?.send(bytes, to, HERE, () => undefined);
      if (delay <= 0) send();
      else this.#hold(send, delay);
    }
  }

  #hold(send: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#held.delete(timer);
      send();
    }, ms);
    this.#held.add(timer);
  }
}

async function bound(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4');
  // Taken by somebody else: another pair is tried.
  const failed = once(socket, 'error').then(() => null);
  const ready = once(socket, 'listening').then(() => socket);
  socket.bind(port, HERE);
  const won = await Promise.race([ready, failed]);
  socket.on('error', () => undefined);
  return won;
}
