// A viewer of /media/live for tests: subscribes with a ticket and keeps what arrives.
import { LIVE_FLAG_KEY, LIVE_HEADER_BYTES, LIVE_KIND, type LiveNotice } from '@vedette/contract/media-wire.ts';
import WebSocket from 'ws';

export interface LiveMessage {
  readonly kind: number;
  readonly isKey: boolean;
  readonly wallMs: number;
  readonly arrivedAt: number;
  readonly payload: Buffer;
}

export class LiveViewer {
  readonly messages: LiveMessage[] = [];
  readonly notices: (LiveNotice & { readonly arrivedAt: number })[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.messages.push(parse(data));
      else this.notices.push({ ...(JSON.parse(data.toString()) as LiveNotice), arrivedAt: Date.now() });
    });
  }

  static async open(base: string, ticket: string, audio = false): Promise<LiveViewer> {
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/media/live`);
    const viewer = new LiveViewer(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio }));
    return viewer;
  }

  get fragments(): readonly LiveMessage[] {
    return this.messages.filter((message) => message.kind === LIVE_KIND.videoFragment);
  }

  get end(): (Extract<LiveNotice, { type: 'end' }> & { arrivedAt: number }) | undefined {
    return this.notices.find((notice) => notice.type === 'end') as
      | (Extract<LiveNotice, { type: 'end' }> & { arrivedAt: number })
      | undefined;
  }

  /** The video so far as one fragmented MP4 file. */
  videoFile(): Buffer {
    const kinds: readonly number[] = [LIVE_KIND.videoInit, LIVE_KIND.videoFragment];
    return Buffer.concat(this.messages.filter(({ kind }) => kinds.includes(kind)).map(({ payload }) => payload));
  }

  follow(tracks: boolean): void {
    this.#socket.send(JSON.stringify({ type: 'follow', id: 1, tracks }));
  }

  close(): void {
    this.#socket.close();
  }
}

function parse(data: Buffer): LiveMessage {
  return {
    kind: data.readUInt8(0),
    isKey: (data.readUInt8(1) & LIVE_FLAG_KEY) !== 0,
    wallMs: data.readDoubleBE(4),
    arrivedAt: Date.now(),
    payload: data.subarray(LIVE_HEADER_BYTES),
  };
}
