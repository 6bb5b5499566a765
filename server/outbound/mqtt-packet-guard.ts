// Bounds what an MQTT broker may send: each packet is judged by its fixed header, before a byte of its body is kept.
import { TokenBucket } from './token-bucket.ts';

export interface MqttReceiveLimits {
  /** Of one PUBLISH with its topic; 0: none may come. */
  readonly messageBytes: number;
  /** Mean rates, over which a broker may be ahead by `BURST_S` seconds of them. */
  readonly packetsPerS: number;
  readonly bytesPerS: number;
}

/** For who publishes only. */
export const NO_MESSAGES: MqttReceiveLimits = { messageBytes: 0, packetsPerS: 100, bytesPerS: 100_000 };

/** The broker sent what it may not. The code makes the library tell it as an error of the connection. */
export class MqttBreach extends Error {
  readonly code = 'MQTT_BREACH';

  constructor(message: string) {
    super(message);
    this.name = 'MqttBreach';
  }
}

const BURST_S = 5;
const PUBLISH = 3;
const SUBACK = 9;
/** CONNACK, PUBACK, SUBACK, UNSUBACK, PINGRESP: all that a broker has to say to a client of QoS 1 beside messages. */
const ANSWERS: readonly number[] = [2, 4, SUBACK, 11, 13];
/** Of an answer; MQTT 3.1.1 needs four. */
const ANSWER_BYTES = 64;
/** The remaining length takes at most so many. */
const LENGTH_BYTES = 4;

export class MqttPacketGuard {
  readonly #limits: MqttReceiveLimits;
  readonly #packets: TokenBucket;
  readonly #bytes: TokenBucket;
  /** Null: between two packets. */
  #first: number | null = null;
  #length = 0;
  #lengthBytes = 0;
  /** Of the body that is under way. */
  #left = 0;

  constructor(limits: MqttReceiveLimits, nowMs: number) {
    this.#limits = limits;
    this.#packets = new TokenBucket({ perS: limits.packetsPerS, burstS: BURST_S }, nowMs);
    this.#bytes = new TokenBucket({ perS: limits.bytesPerS, burstS: BURST_S }, nowMs);
  }

  /** Throws MqttBreach. */
  take(chunk: Buffer, nowMs: number): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      this.#takeHeader(chunk[at] ?? 0, nowMs);
      at += 1;
    }
    // After the headers: what is too large is told as that.
    if (!this.#bytes.spend(chunk.length, nowMs)) throw new MqttBreach('too many bytes in a second');
  }

  #takeHeader(byte: number, nowMs: number): void {
    if (this.#first === null) {
      this.#first = byte;
      this.#length = 0;
      this.#lengthBytes = 0;
      return;
    }
    if (this.#lengthBytes === LENGTH_BYTES) throw new MqttBreach('not MQTT: a length of five bytes');
    this.#length += (byte & 127) * 128 ** this.#lengthBytes;
    this.#lengthBytes += 1;
    if (byte > 127) return;
    this.#judge(this.#first, nowMs);
    this.#left = this.#length;
    this.#first = null;
  }

  #judge(first: number, nowMs: number): void {
    const type = first >> 4;
    const { messageBytes } = this.#limits;
    if (type !== PUBLISH && !ANSWERS.includes(type)) throw new MqttBreach(`not MQTT: a packet of type ${type}`);
    if (type === PUBLISH && messageBytes === 0) throw new MqttBreach('a message that was not asked for');
    if (this.#length > (type === PUBLISH ? messageBytes : ANSWER_BYTES)) throw new MqttBreach('packet too large');
    // A message of QoS 2 is kept until it is released, and subscriptions ask for QoS 1.
    if (type === PUBLISH && (first & 4) !== 0) throw new MqttBreach('a message of QoS 2, which was not asked for');
    if (!this.#packets.spend(1, nowMs)) throw new MqttBreach('too many packets in a second');
  }
}
