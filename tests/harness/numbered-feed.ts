// A camera of numbered pictures behind a real feed, and viewers of a gateway that look whether each picture is whole and the next one.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { LIVE_HEADER_BYTES, LIVE_KIND } from '@vedette/contract/media-wire.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { FeedServer } from '../../media/feed/feed-server.ts';
import { clip } from '../../media/recorder/synthetic-stream.fixture.ts';
import { StreamHub } from '../../media/stream/hub.ts';
import { FRAME_MS, NumberedCamera, numberOf } from '../../media/stream/numbered-frames.fixture.ts';
import { createSourceCounters } from '../../media/stream/source-counters.ts';
import type { StreamConsumer } from '../../media/stream/stream.ts';
import { waitFor } from './wait-for.ts';

/** Of an app whose ticket `of a page` names it. */
export const FEED_PAGE = 'https://portal.example';

/** Every ticket opens the camera. */
export class NumberedFeed {
  readonly feed: FeedServer;
  readonly #server: Server;
  readonly sockets: Socket[] = [];
  #camera: NumberedCamera | null = null;
  #timer: NodeJS.Timeout | undefined;

  private constructor() {
    const slabs = new SlabPool({ poison: true });
    const onConsumerFailure = (_: string, error: unknown): never => {
      throw error;
    };
    const hub = new StreamHub({ clock: systemClock, lingerMs: 30_000, slabs, onConsumerFailure });
    const open = (consumer: StreamConsumer) => {
      this.#camera = new NumberedCamera(consumer);
      setImmediate(() => {
        consumer.state({ state: 'playing', since: 1 });
        consumer.format({ video: clip.format.video, audio: null });
        this.#timer = setInterval(() => this.#camera?.next(), FRAME_MS);
      });
      const close = async (): Promise<void> => clearInterval(this.#timer);
      return { counters: createSourceCounters(), server: null, retryNow: () => undefined, close };
    };
    this.feed = new FeedServer({
      hub,
      clock: systemClock,
      authorise: async (ticket) => ({
        allowed: true,
        sessionId: ticket,
        holder: ticket,
        streamKey: 'camera',
        open,
        ...(ticket === 'of a page' && { pageOrigin: FEED_PAGE }),
      }),
      onFailure: (error) => {
        throw error;
      },
    });
    this.#server = createServer((socket) => {
      this.sockets.push(socket);
      this.feed.accept(socket);
    });
  }

  static async start(run: string): Promise<NumberedFeed> {
    const made = new NumberedFeed();
    made.#server.listen(join(run, 'feed.sock'));
    await once(made.#server, 'listening');
    return made;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.feed.close();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface NumberedViewer {
  readonly socket: WebSocket;
  /** Numbers of its pictures; null for one that is not whole. */
  readonly seen: (number | null)[];
  skipped: number;
  /** Code of the notice that ended what it watched. */
  endedWith: number | null;
  closedWith: number | null;
}

interface Watching {
  /** ws or wss, without a path. */
  readonly base: string;
  /** PEM; absent: the base is not secure. */
  readonly ca?: string;
  readonly ticket?: string;
}

/** Resolves at the first picture; rejects where it is refused. */
export async function watchNumbered({ base, ca, ticket }: Watching): Promise<NumberedViewer> {
  const socket = new WebSocket(`${base}/media/live`, { ...(ca !== undefined && { ca }), perMessageDeflate: false });
  const viewer: NumberedViewer = { socket, seen: [], skipped: 0, endedWith: null, closedWith: null };
  socket.on('error', () => undefined);
  socket.on('close', (code) => {
    viewer.closedWith = code;
  });
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const notice = JSON.parse(data.toString()) as { type: string; frames?: number; code?: number };
      if (notice.type === 'end') viewer.endedWith = notice.code ?? null;
      if (notice.type === 'skipped') viewer.skipped += notice.frames ?? 0;
    } else if (data[0] === LIVE_KIND.videoFragment)
      viewer.seen.push(numberOf(data.subarray(LIVE_HEADER_BYTES + SAMPLE_HEADER_BYTES)));
  });
  await once(socket, 'open');
  const shown = ticket ?? randomBytes(9).toString('hex');
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket: shown, audio: false }));
  await waitFor('the first picture', () => viewer.seen.length > 0 || viewer.endedWith !== null);
  if (viewer.endedWith !== null) throw new Error(`ended with ${viewer.endedWith} before the first picture`);
  return viewer;
}

/** So many further pictures, each whole and the next of the one before. */
export async function seesOn(viewer: NumberedViewer, pictures: number): Promise<void> {
  const from = viewer.seen.length;
  await waitFor('further pictures', () => viewer.seen.length >= from + pictures, 20_000);
  const seen = viewer.seen.slice(Math.max(0, from - 1));
  expect(seen).not.toContain(null);
  for (const [at, number] of seen.entries()) expect(number).toBe((seen[0] ?? 0) + at);
}
