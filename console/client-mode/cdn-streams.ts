// CDN live for streams that a shell starts: one is started where the channel supports it, and ended with the last window that shows it (ST-06).
import { CDN_PROTOCOL } from '@vedette/contract/enumerations.ts';
import type { Caller } from '../calls/caller.ts';

export interface ShownChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly quality: 0 | 1 | 2;
}

/** RTMP first, as the specification asks; our own origin where no provider takes RTMP. */
const PROTOCOLS = [CDN_PROTOCOL.rtmp, CDN_PROTOCOL.own] as const;

export class CdnStreams {
  readonly #caller: Caller;
  /** By window. */
  readonly #shown = new Map<number, string>();
  /** Those that were not running before: others go on when nobody looks here. */
  readonly #started = new Set<string>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The liveId; null where the channel supports none, or none can be started. Rejects with the reason of the signal. */
  async start(window: number, channel: ShownChannel, signal: AbortSignal): Promise<string | null> {
    await this.end(window);
    try {
      const liveId = await this.#start(channel, signal);
      if (liveId !== null) this.#shown.set(window, liveId);
      return liveId;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  /** Of a window that shows something else, or nothing. */
  async end(window: number): Promise<void> {
    const liveId = this.#shown.get(window);
    this.#shown.delete(window);
    if (liveId === undefined || [...this.#shown.values()].includes(liveId) || !this.#started.delete(liveId)) return;
    try {
      await this.#caller.ask('cdn/live/stop', { liveId }, { showError: false });
    } catch {
      // It has ended by itself, or the list of streams shows that it still runs.
    }
  }

  async #start({ quality, ...dev }: ShownChannel, signal: AbortSignal): Promise<string | null> {
    const options = { signal, showError: false };
    const { mediaCapacity } = await this.#caller.ask('channel/capacity', dev, options);
    if (!mediaCapacity.supportCdn) return null;
    const { liveList } = await this.#caller.ask('cdn/video/list', {}, options);
    const url = await this.#addressOf({ ...dev, quality }, signal);
    const { liveId } = await this.#caller.ask('cdn/live/start', { url }, options);
    const isRunning = liveList.some((live) => live.liveId === liveId);
    if (!isRunning) this.#started.add(liveId);
    return liveId;
  }

  async #addressOf(channel: ShownChannel, signal: AbortSignal): Promise<string> {
    const [first, second] = PROTOCOLS;
    const ask = async (protocol: (typeof PROTOCOLS)[number]): Promise<string> =>
      (await this.#caller.ask('cdn/live/get', { ...channel, protocol }, { signal, showError: false })).url;
    try {
      return await ask(first);
    } catch {
      signal.throwIfAborted();
      return await ask(second);
    }
  }
}
