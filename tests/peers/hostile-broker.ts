// An MQTT 3.1.1 broker on a bare socket that follows a script: polite until the script does something else.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './impostor-camera.ts';

const TYPE = { connect: 1, publish: 3, puback: 4, subscribe: 8, pingreq: 12 } as const;
/** 268,435,455: the largest remaining length that MQTT can declare. */
const LARGEST = (128 << 21) - 1;

/** What is done instead of the polite answer to a packet. */
export interface BrokerScript {
  readonly onConnect?: (line: BrokerLine) => void;
  readonly onSubscribe?: (line: BrokerLine) => void;
  /** After the polite SUBACK. */
  readonly afterSubscribe?: (line: BrokerLine) => void;
  readonly onPublish?: (line: BrokerLine) => void;
}

export interface Message {
  readonly topic: string | Buffer;
  readonly payload: string | Buffer;
  readonly qos?: 0 | 1 | 2;
  readonly id?: number;
  readonly retain?: boolean;
}

/** Fixed header, with a length of the caller's choice. */
export function header(first: number, length: number): Buffer {
  const bytes = [first];
  let rest = length;
  do {
    const more = rest > 127 ? 128 : 0;
    bytes.push((rest % 128) | more);
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.from(bytes);
}

export function publishPacket({ topic, payload, qos = 0, id = 1, retain = false }: Message): Buffer {
  const name = Buffer.from(topic);
  const number = qos === 0 ? Buffer.alloc(0) : Buffer.from([id >> 8, id & 255]);
  const body = Buffer.concat([Buffer.from([name.length >> 8, name.length & 255]), name, number, Buffer.from(payload)]);
  return Buffer.concat([header((TYPE.publish << 4) | (qos << 1) | (retain ? 1 : 0), body.length), body]);
}

/** One client's connection. */
export class BrokerLine {
  readonly socket: Socket;
  readonly openedMs = performance.now();
  /** Messages that the client published. */
  published = 0;
  #held = Buffer.alloc(0);

  constructor(socket: Socket, script: BrokerScript) {
    this.socket = socket;
    // A client that ends a connection in the middle is what is hoped for.
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#take(chunk, script));
  }

  connack(code = 0): void {
    this.socket.write(Buffer.from([0x20, 2, 0, code]));
  }

  publish(message: Message): void {
    this.socket.write(publishPacket(message));
  }

  /** Sends `parts` in turn, as fast as the client takes them, until it hangs up. Answers the bytes that left. */
  async pour(parts: Iterable<Buffer>): Promise<number> {
    for (const part of parts) {
      if (this.socket.destroyed) break;
      if (this.socket.write(part)) continue;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.socket.off('drain', go).off('close', go);
          resolve();
        };
        this.socket.once('drain', go).once('close', go);
      });
    }
    return this.socket.bytesWritten;
  }

  #take(chunk: Buffer, script: BrokerScript): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (let packet = this.#next(); packet !== null; packet = this.#next()) this.#answer(packet, script);
  }

  #next(): Buffer | null {
    let length = 0;
    let at = 1;
    for (let byte = 128; byte >= 128; at++) {
      if (at >= this.#held.length) return null;
      byte = this.#held[at] ?? 0;
      length += (byte & 127) * 128 ** (at - 1);
    }
    if (this.#held.length < at + length) return null;
    const packet = Buffer.concat([this.#held.subarray(0, 1), this.#held.subarray(at, at + length)]);
    this.#held = this.#held.subarray(at + length);
    return packet;
  }

  #answer(packet: Buffer, script: BrokerScript): void {
    const type = (packet[0] ?? 0) >> 4;
    if (type === TYPE.connect) return script.onConnect ? script.onConnect(this) : this.connack();
    if (type === TYPE.pingreq) return void this.socket.write(Buffer.from([0xd0, 0]));
    if (type === TYPE.subscribe) this.#answerSubscribe(packet, script);
    if (type === TYPE.publish) this.#answerPublish(packet, script);
  }

  #answerSubscribe(packet: Buffer, script: BrokerScript): void {
    if (script.onSubscribe) return script.onSubscribe(this);
    this.socket.write(Buffer.from([0x90, 3, packet[1] ?? 0, packet[2] ?? 0, 1]));
    script.afterSubscribe?.(this);
  }

  #answerPublish(packet: Buffer, script: BrokerScript): void {
    this.published += 1;
    if (script.onPublish) return script.onPublish(this);
    const at = 3 + packet.readUInt16BE(1);
    if (((packet[0] ?? 0) & 6) !== 0)
      this.socket.write(Buffer.from([TYPE.puback << 4, 2, packet[at] ?? 0, packet[at + 1] ?? 0]));
  }
}

export class HostileBroker {
  readonly lines: BrokerLine[] = [];
  readonly #server: Server;
  readonly #scheme: string;
  script: BrokerScript;

  private constructor(script: BrokerScript, certificate?: Certificate) {
    this.script = script;
    this.#scheme = certificate ? 'mqtts' : 'mqtt';
    const take = (socket: Socket): void => void this.lines.push(new BrokerLine(socket, this.script));
    this.#server = certificate ? createTlsServer({ ...certificate }, take) : createServer(take);
    if (certificate) this.#server.on('tlsClientError', () => undefined);
  }

  static async listen(
    script: BrokerScript = {},
    certificate?: Certificate,
    host = '127.0.0.1',
  ): Promise<HostileBroker> {
    const broker = new HostileBroker(script, certificate);
    broker.#server.listen(0, host);
    await once(broker.#server, 'listening');
    return broker;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(host = '127.0.0.1'): string {
    return `${this.#scheme}://${host}:${this.port}`;
  }

  setCertificate(certificate: Certificate): void {
    (this.#server as ReturnType<typeof createTlsServer>).setSecureContext(certificate);
  }

  hangUp(): void {
    for (const { socket } of this.lines) socket.destroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A packet that declares 268 MB and brings as much, 64 KB at a time. */
export function* largestPublish(): Generator<Buffer> {
  yield header(TYPE.publish << 4, LARGEST);
  const part = Buffer.alloc(65_536, 'a');
  for (let sent = 0; sent < LARGEST; sent += part.length) yield part;
}

export function* repeated(packet: (count: number) => Buffer, times: number): Generator<Buffer> {
  for (let count = 0; count < times; count++) yield packet(count);
}
