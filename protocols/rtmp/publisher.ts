// Publishes one stream to an RTMP server over a connected socket (Adobe RTMP 1.0, 7.2; codecs offered as Enhanced RTMP v1 and v2 do).
import type { Duplex } from 'node:stream';
import { type AmfValue, writeAmf } from '../amf/amf0.ts';
import { fieldsOf, refusalOf, RtmpConnection, type RtmpConnectionOptions } from './connection.ts';
import { RTMP_MESSAGE } from './message-types.ts';
import type { PublishAddress } from './publish-address.ts';
import { RtmpError } from './rtmp-error.ts';

export interface RtmpPublisherOptions extends Pick<RtmpConnectionOptions, 'clock' | 'randomBytes' | 'answerWithinMs'> {
  /** Called once, whoever ended it. */
  readonly onClosed: (error: RtmpError) => void;
}

const AUDIO_STREAM = 5;
const VIDEO_STREAM = 6;
const DATA_STREAM = 4;
/** What servers of old want to hear: Flash Media Live Encoder. */
const FLASH_VERSION = 'FMLE/3.0 (compatible; Vedette)';
/** Enhanced RTMP v2: a sender that forwards, as it neither encodes nor decodes. */
const CAN_FORWARD = 4;

export class RtmpPublisher {
  readonly #connection: RtmpConnection;
  readonly #options: RtmpPublisherOptions;
  readonly #started = Promise.withResolvers<void>();
  #stream = 0;
  #isPublishing = false;

  private constructor(socket: Duplex, options: RtmpPublisherOptions) {
    this.#options = options;
    this.#started.promise.catch(() => undefined);
    this.#connection = new RtmpConnection(socket, {
      ...options,
      onCommand: (name, args) => this.#commanded(name, args),
      onClosed: (error) => {
        this.#started.reject(error);
        options.onClosed(error);
      },
    });
  }

  /** Resolves once the server takes the stream. Rejects with RtmpError and closes the socket. */
  static async open(socket: Duplex, address: PublishAddress, options: RtmpPublisherOptions): Promise<RtmpPublisher> {
    const publisher = new RtmpPublisher(socket, options);
    try {
      await publisher.#open(address);
      return publisher;
    } catch (error) {
      const reason = error instanceof RtmpError ? error : new RtmpError('protocol', 'not opened', { cause: error });
      publisher.#connection.close(reason);
      throw reason;
    }
  }

  /** Bytes that the network has not taken yet. */
  get queuedBytes(): number {
    return this.#connection.queuedBytes;
  }

  /** Bytes that it has taken so far. */
  get takenBytes(): number {
    return this.#connection.takenBytes;
  }

  metadata(object: { readonly [key: string]: AmfValue }): void {
    const payload = [writeAmf(['@setDataFrame', 'onMetaData', object])];
    this.#send(DATA_STREAM, RTMP_MESSAGE.data, 0, payload);
  }

  /** `body`: of an FLV tag. */
  video(timestampMs: number, body: readonly Uint8Array[]): void {
    this.#send(VIDEO_STREAM, RTMP_MESSAGE.video, timestampMs, body);
  }

  audio(timestampMs: number, body: readonly Uint8Array[]): void {
    this.#send(AUDIO_STREAM, RTMP_MESSAGE.audio, timestampMs, body);
  }

  /** Tells the server that the stream ends. */
  finish(): void {
    this.#connection.tell('deleteStream', 0, [null, this.#stream]);
    this.#connection.finish();
  }

  /** At once, for a server that takes nothing any more. */
  close(reason: RtmpError): void {
    this.#connection.close(reason);
  }

  async #open({ app, tcUrl, streamName }: PublishAddress): Promise<void> {
    const connection = this.#connection;
    await connection.handshake();
    await connection.call('connect', [
      {
        app,
        type: 'nonprivate',
        flashVer: FLASH_VERSION,
        tcUrl,
        fourCcList: ['avc1', 'hvc1', 'Opus'],
        videoFourCcInfoMap: { hvc1: CAN_FORWARD },
        audioFourCcInfoMap: { Opus: CAN_FORWARD },
      },
    ]);
    // Many servers prepare the name by these; nobody has to answer them.
    connection.tell('releaseStream', 0, [null, streamName]);
    connection.tell('FCPublish', 0, [null, streamName]);
    const [, stream] = await connection.call('createStream', [null]);
    if (typeof stream !== 'number') throw new RtmpError('protocol', 'a stream without a number');
    this.#stream = stream;
    const { clock, answerWithinMs } = this.#options;
    const late = new RtmpError('timeout', 'no answer to publish');
    const cancel = clock.after(answerWithinMs, () => connection.close(late));
    connection.tell('publish', stream, [null, streamName, 'live']);
    await this.#started.promise.finally(cancel);
  }

  #commanded(name: string, args: readonly AmfValue[]): void {
    if (name === 'close') return this.#connection.close(new RtmpError('closed', 'the server closed the connection'));
    if (name !== 'onStatus') return;
    const info = args.at(-1) ?? null;
    const { level, code } = fieldsOf(info);
    if (code === 'NetStream.Publish.Start') {
      this.#isPublishing = true;
      this.#started.resolve();
    } else if (code === 'NetConnection.Connect.ReconnectRequest')
      this.#connection.close(new RtmpError('redirected', 'asked to reconnect'));
    else if (level === 'error' || (this.#isPublishing && code === 'NetStream.Unpublish.Success'))
      this.#connection.close(refusalOf(info));
  }

  #send(chunkStream: number, type: number, timestampMs: number, payload: readonly Uint8Array[]): void {
    this.#connection.send({ chunkStream, type, stream: this.#stream, timestampMs, payload });
  }
}
