// What the site says of its own process: versions, memory, processor time and its clock.
import type { SiteProcess } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';

export interface ProcessFactsOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly ffmpeg: StartFfmpeg | null;
}

/** The first line says `ffmpeg version 5.1.8-0+deb12u1 Copyright …`. */
const FFMPEG_VERSION = /^ffmpeg version (\S{1,64})/;
const HEAD_CHARS = 200;

export class ProcessFacts {
  readonly #options: ProcessFactsOptions;
  readonly #startedAt: number;
  #ffmpeg: string | null = null;
  #isAsked = false;

  constructor(options: ProcessFactsOptions) {
    this.#options = options;
    this.#startedAt = Math.round(options.clock.wallMs() - process.uptime() * 1000);
  }

  /** The version of ffmpeg is asked for once, and known at a later reading. */
  read(): SiteProcess {
    const { clock, version, ffmpeg } = this.#options;
    if (ffmpeg !== null && !this.#isAsked) this.#ask(ffmpeg);
    const { user, system } = process.cpuUsage();
    return {
      version,
      node: process.versions.node,
      ffmpeg: this.#ffmpeg,
      wallMs: clock.wallMs(),
      startedAt: this.#startedAt,
      cpuMs: Math.round((user + system) / 1000),
      residentBytes: process.memoryUsage.rss(),
    };
  }

  #ask(start: StartFfmpeg): void {
    this.#isAsked = true;
    const { input, output, ended } = start(['-version']);
    let head = '';
    input.end();
    output.setEncoding('utf8').on('data', (text: string) => {
      if (head.length < HEAD_CHARS) head += text;
    });
    void ended.then(() => {
      this.#ffmpeg = FFMPEG_VERSION.exec(head)?.[1] ?? null;
    });
  }
}
