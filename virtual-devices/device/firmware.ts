// The firmware of a virtual device: a file that is checked as it comes, an installation that takes its time, another version after the reboot.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const FIRMWARE = '1.0.0';
const MAGIC = 'VEDETTE-FIRMWARE';
const LINE = /^VEDETTE-FIRMWARE (\d+\.\d+\.\d+) ([0-9a-f]{64})\n/;
const MOST_BYTES = 64 * 1024 * 1024;
/** Of one upload after StartFirmwareUpgrade. */
const READY_MS = 60_000;

/** A file that the virtual devices take. */
export function firmwareFile(version: string, payload: Buffer): Buffer {
  const sum = createHash('sha256').update(payload).digest('hex');
  return Buffer.concat([Buffer.from(`${MAGIC} ${version} ${sum}\n`), payload]);
}

export interface FirmwareOptions {
  readonly monotonicMs: () => number;
  readonly reboot: () => void;
}

export class Firmware {
  version = FIRMWARE;
  /** How the next upload goes wrong. */
  fault: 'none' | 'drops' | 'stays-old' = 'none';
  /** How often a whole file came. */
  installs = 0;
  private readonly options: FirmwareOptions;
  private readyUntilMs = -Infinity;

  constructor(options: FirmwareOptions) {
    this.options = options;
  }

  /** An upload is expected from now on. */
  expect(): void {
    this.readyUntilMs = this.options.monotonicMs() + READY_MS;
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.options.monotonicMs() > this.readyUntilMs) {
      request.resume();
      response.writeHead(409).end();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES || this.fault === 'drops') request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const version = versionOf(Buffer.concat(chunks));
      if (version === null) {
        response.writeHead(415).end();
        return;
      }
      this.readyUntilMs = -Infinity;
      this.installs += 1;
      response.writeHead(200).end();
      if (this.fault !== 'stays-old') this.version = version;
      this.options.reboot();
    });
  }
}

/** Null for a file that is none, or that was damaged on its way. */
function versionOf(file: Buffer): string | null {
  const match = LINE.exec(file.subarray(0, 200).toString('latin1'));
  const [line = '', version = '', sum] = match ?? [];
  return match !== null && createHash('sha256').update(file.subarray(line.length)).digest('hex') === sum
    ? version
    : null;
}
