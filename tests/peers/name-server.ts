// A DNS server for tests (RFC 1035, UDP): answers A and AAAA from a zone that may say something else each time, always with a TTL of 0.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export interface ZoneAnswer {
  /** IPv4 and IPv6 mixed: each question gets those of its kind. */
  readonly addresses: readonly string[];
  /** Names that lead to them one after another. */
  readonly through?: readonly string[];
}

/** Of the `asked`th look-up of a name, beginning with 1. Null: no such name; `silent`: no answer at all. */
export type Zone = (name: string, asked: number) => ZoneAnswer | 'silent' | null;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** As it was asked. */
  readonly bytes: Buffer;
}

const TYPE = { a: 1, cname: 5, aaaa: 28 } as const;
/** An answer, authoritative, recursion available. */
const FLAGS = 0x8580;
const NAME_ERROR = 3;

export class NameServer {
  /** Questions for the IPv4 address, by name. */
  readonly lookups = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #zone: Zone;
  readonly #socket: Socket;

  private constructor(zone: Zone) {
    this.#zone = zone;
    this.#socket = createSocket('udp4', (bytes, { port, address }) => {
      const answer = this.#answer(questionOf(bytes));
      if (answer !== null) this.#socket.send(answer, port, address);
    });
  }

  static async listen(address: string, zone: Zone, port = 53): Promise<NameServer> {
    const server = new NameServer(zone);
    server.#socket.bind(port, address);
    await once(server.#socket, 'listening');
    return server;
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #answer(question: Question): Buffer | null {
    const { name, type } = question;
    const key = `${name} ${type}`;
    const asked = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, asked);
    if (type === TYPE.a) this.lookups.set(name, asked);
    const found = this.#zone(name, asked);
    if (found === 'silent') return null;
    if (found === null) return message(question, [], NAME_ERROR);
    const through = found.through ?? [];
    const links = through.map((to, at) => record(through[at - 1] ?? name, TYPE.cname, nameBytes(to)));
    const last = through.at(-1) ?? name;
    const wanted = found.addresses.filter((address) => isIPv4(address) === (type === TYPE.a));
    const isAddress = type === TYPE.a || type === TYPE.aaaa;
    const ends = isAddress ? wanted.map((address) => record(last, type, addressBytes(address))) : [];
    return message(question, [...links, ...ends]);
  }
}

function questionOf(bytes: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = bytes.readUInt16BE(at + 1);
  return { id: bytes.readUInt16BE(0), name: labels.join('.').toLowerCase(), type, bytes: bytes.subarray(12, at + 5) };
}

function message({ id, bytes }: Question, records: readonly Buffer[], code = 0): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(FLAGS | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  // Class IN; the TTL stays 0.
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = Array.from({ length: 8 - before.length - after.length }, () => 0);
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...before, ...missing, ...after].entries()) bytes.writeUInt16BE(group, index * 2);
  return bytes;
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
