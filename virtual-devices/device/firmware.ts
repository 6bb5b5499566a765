// The firmware of a virtual device: a file that is checked as it comes, an installation that takes its time, another version after the reboot.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const FIRMWARE = '1.0.0';
const MAGIC = 'VEDETTE-FIRMWARE';
const LINE = /^VEDETTE-FIRMWARE (\d+\.\d+\.\d+) ([0-9a-f]{64})\n/;
export const FIRMWARE_MOST_BYTES = 64 * 1024 * 1024;
/** Of one upload after StartFirmwareUpgrade. */
const READY_MS = 60_000;

/** How files may come: by POST to an address, within a call, or either. */
type FirmwareWay = 'http' | 'mtom' | 'both';

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
  way: FirmwareWay = 'both';
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
      if (size > FIRMWARE_MOST_BYTES || this.fault === 'drops') request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const isTaken = this.install(Buffer.concat(chunks));
      response.writeHead(isTaken ? 200 : 415).end();
      if (isTaken) this.options.reboot();
    });
  }

  /** False for what is no firmware, or was damaged on its way. Whoever brought it has the device restarted. */
  install(file: Buffer): boolean {
    const version = versionOf(file);
    if (version === null) return false;
    this.readyUntilMs = -Infinity;
    this.installs += 1;
    if (this.fault !== 'stays-old') this.version = version;
    return true;
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
