// Sends a stream to an SRT server as MPEG-TS by the operator's ffmpeg, which gets passphrase and stream id by a descriptor and never as arguments.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SrtAddress } from '@vedette/rules/cdn/srt-address.ts';
import { FFMPEG_SECRETS, type FfmpegExit, type FfmpegProcess, type StartFfmpeg } from '../codec/ffmpeg-process.ts';
import type { MediaFormat } from '../stream/stream.ts';
import { muxableVideo, Mp4Feed } from './mp4-feed.ts';
import { PushFault, type PushReason } from './push-fault.ts';
import type { PushConnection, PushOrder, PushOutlet } from './push-outlet.ts';

export interface SrtOutletOptions {
  readonly clock: Clock;
  readonly address: SrtAddress;
  /** Empty: the stream is not encrypted. */
  readonly passphrase: string;
  /** The one address that may be called. Rejects with PushFault, or with the reason of the signal. */
  readonly resolve: (address: SrtAddress, signal: AbortSignal) => Promise<string>;
  /** Null without ffmpeg. */
  readonly start: StartFfmpeg | null;
}

const LOOK_EVERY_MS = 1000;
/** Nothing of what waits was taken for so long. */
const STALL_MS = 10_000;
/** It says by itself that nobody answers; later than that it has no media to begin with. */
const CONNECT_WITHIN_MS = 15_000;
/** To tell the server that the stream ends. */
const GOODBYE_MS = 1000;
const CALL_TIMEOUT_MS = 4000;

export class SrtOutlet implements PushOutlet {
  readonly #options: SrtOutletOptions;

  constructor(options: SrtOutletOptions) {
    this.#options = options;
  }

  takes({ video }: MediaFormat): boolean {
    return muxableVideo(video);
  }

  async connect({ stream, onSent, signal }: PushOrder): Promise<PushConnection> {
    const call = await this.#call(MEDIA_ARGUMENTS, signal);
    const { clock } = this.#options;
    const { input } = call;
    const sender = new SrtSender(call, clock, onSent);
    const feed = new Mp4Feed({
      write: (bytes) => void input.write(bytes),
      queuedBytes: () => input.writableLength,
      onOtherFormat: () => sender.finish(),
    });
    const leave = stream.addConsumer(feed);
    for (const unit of stream.gopUnits()) feed.accessUnit(unit);
    void sender.closed.then(leave);
    await sender.live(signal);
    // It has to have media before it calls anyone: the stream has begun.
    return { begin: () => undefined, closed: sender.closed, finish: () => sender.finish() };
  }

  /** Calls the server and sends nothing. Rejects as `connect` does. */
  async probe(signal: AbortSignal): Promise<void> {
    const call = await this.#call(PROBE_ARGUMENTS, signal);
    const kill = (): void => call.kill();
    signal.addEventListener('abort', kill, { once: true });
    call.output.resume();
    call.input.end();
    const exit = await call.ended;
    signal.removeEventListener('abort', kill);
    signal.throwIfAborted();
    if (exit.code !== 0) throw srtFault(exit, false);
  }

  async #call(args: readonly string[], signal: AbortSignal): Promise<FfmpegProcess> {
    const { address, passphrase, resolve, start } = this.#options;
    if (start === null) throw new PushFault('ffmpeg', 'no ffmpeg is installed');
    const host = await resolve(address, signal);
    signal.throwIfAborted();
    const place = `srt://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    return start([...args, place], { secrets: settingsOf(address, passphrase) });
  }
}

/** Its own progress says what the server was sent: bytes of MPEG-TS. */
class SrtSender {
  readonly #call: FfmpegProcess;
  readonly #clock: Clock;
  readonly #onSent: (bytes: number) => void;
  readonly #isLive = Promise.withResolvers<void>();
  /** What ended it, where it did not end by itself. */
  #cause: PushFault | null = null;
  readonly closed: Promise<PushFault>;
  #rest = '';
  #sent = 0;
  #movedMs: number;
  #cancelLook: () => void = () => undefined;

  constructor(call: FfmpegProcess, clock: Clock, onSent: (bytes: number) => void) {
    this.#call = call;
    this.#clock = clock;
    this.#onSent = onSent;
    this.#movedMs = clock.monotonicMs();
    call.output.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.closed = call.ended.then((exit) => {
      this.#cancelLook();
      return this.#cause ?? srtFault(exit, this.#sent > 0);
    });
    this.#look();
  }

  /** Rejects with PushFault where it is not sent, or the reason of the signal. */
  async live(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#end(new PushFault('closed', 'stopped'));
    signal.addEventListener('abort', stop, { once: true });
    const late = new PushFault('timeout', 'not connected in time');
    const cancel = this.#clock.after(CONNECT_WITHIN_MS, () => this.#end(late));
    if (signal.aborted) stop();
    const ended = this.closed.then((fault) => Promise.reject(fault));
    try {
      await Promise.race([this.#isLive.promise, ended]);
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  finish(): void {
    if (this.#cause !== null) return;
    this.#cause = new PushFault('closed', 'stopped');
    this.#call.input.end();
    const cancel = this.#clock.after(GOODBYE_MS, () => this.#call.kill());
    void this.#call.ended.then(cancel);
  }

  #end(cause: PushFault): void {
    this.#cause ??= cause;
    this.#call.kill();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, size] = /^total_size=(\d+)$/u.exec(line) ?? [];
      if (size !== undefined) this.#taken(Number(size));
    }
  }

  #taken(total: number): void {
    if (total <= this.#sent) return;
    this.#onSent(total - this.#sent);
    this.#sent = total;
    this.#movedMs = this.#clock.monotonicMs();
    this.#isLive.resolve();
  }

  #look(): void {
    this.#cancelLook = this.#clock.after(LOOK_EVERY_MS, () => {
      const now = this.#clock.monotonicMs();
      if (this.#call.input.writableLength === 0) this.#movedMs = now;
      if (now - this.#movedMs < STALL_MS) return this.#look();
      this.#end(new PushFault('timeout', 'the server takes nothing any more'));
    });
  }
}

const QUIET = ['-v', 'error', '-nostdin', '-nostats'];
/** Nothing but its input is opened for reading. */
const INPUT = ['-protocol_whitelist', 'pipe', '-probesize', '32', '-analyzeduration', '0'];
const OUTPUT = ['-c', 'copy', '-fpre', FFMPEG_SECRETS];
/** Audio that does not come delays video by so long at most, in microseconds. */
const INTERLEAVE = ['-max_interleave_delta', '300000', '-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1'];
const PROGRESS = ['-progress', 'pipe:1', '-stats_period', '0.5'];
const UNITS = ['-f', 'mp4', '-i', 'pipe:0', '-map', '0'];
/** Audio without a sample: it calls the server, and has nothing to send. */
const NOTHING = ['-f', 's16le', '-ar', '8000', '-ac', '1', '-i', 'pipe:0', '-map', '0'];
const MEDIA_ARGUMENTS: readonly string[] = [
  ...QUIET,
  ...PROGRESS,
  ...INPUT,
  ...UNITS,
  ...OUTPUT,
  ...INTERLEAVE,
  '-f',
  'mpegts',
];
const PROBE_ARGUMENTS: readonly string[] = [...QUIET, ...INPUT, ...NOTHING, ...OUTPUT, '-f', 'data'];

/** Lines of a preset of ffmpeg. */
function settingsOf({ streamId, latencyMs, keyBytes }: SrtAddress, passphrase: string): string {
  const settings = {
    connect_timeout: CALL_TIMEOUT_MS,
    ...(streamId !== '' && { streamid: streamId }),
    ...(latencyMs !== null && { latency: latencyMs * 1000 }),
    ...(passphrase !== '' && { passphrase, pbkeylen: keyBytes }),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** What ffmpeg and libsrt say in their last words, from the most telling one on. */
const SAID: readonly (readonly [RegExp, PushReason])[] = [
  [/passphrase|password|BADSECRET|UNSECURE/iu, 'credentials'],
  [/protocol not found|unrecognized option|option not found|file for preset/iu, 'ffmpeg'],
  [/rejected|REJECT/u, 'refused'],
];

function srtFault({ stderrTail }: FfmpegExit, wasLive: boolean): PushFault {
  const said = SAID.find(([pattern]) => pattern.test(stderrTail))?.[1];
  return new PushFault(said ?? (wasLive ? 'closed' : 'unreachable'), stderrTail);
}
