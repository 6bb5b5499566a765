// Snapshots of presets on the site's disk, and the endpoint that serves them: /media/preset/<ticket>/<name>.
import { wait } from '@vedette/foundation/time/wait.ts';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import type { PtzController } from '@vedette/drivers/kit/ptz.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TicketRegistry } from '../tickets/ticket-registry.ts';

export interface PresetSnapshotsOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly folder: string;
  readonly tickets: TicketRegistry;
  readonly log: { info(fields: object, message: string): void };
}

const LOOK_EVERY_MS = 250;
/** Wait for cameras that do not report arrival. */
const UNTOLD_MS = 3000;
const ARRIVAL_MS = 20_000;
const PATH = /^\/media\/preset\/([A-Za-z0-9_-]{16,128})\/([0-9a-f]{24})-(\d{1,16})\.jpg$/;

export class PresetSnapshots {
  readonly #options: PresetSnapshotsOptions;
  /** Newest move to a preset by channel: an older one takes no snapshot. */
  readonly #journeys = new Map<string, number>();

  constructor(options: PresetSnapshotsOptions) {
    this.#options = options;
  }

  /** Times of the snapshots of a channel, by preset. */
  async taken(key: string): Promise<ReadonlyMap<string, number>> {
    const all = await this.#all(key);
    // The latest file of a preset counts.
    return new Map(all.toSorted((one, other) => one.at - other.at).map(({ preset, at }) => [preset, at]));
  }

  /** An operator moves the camera: the snapshot on arrival is cancelled. */
  leave(key: string): number {
    const journey = (this.#journeys.get(key) ?? 0) + 1;
    this.#journeys.set(key, journey);
    return journey;
  }

  /** Waits until the camera stands still, then stores a snapshot. */
  async takeOnArrival(key: string, token: string, channel: ChannelDriver): Promise<void> {
    const journey = this.leave(key);
    try {
      if (!channel.snapshot || !(await this.#arrived(channel.ptz, () => this.#journeys.get(key) === journey))) return;
      const { data } = await channel.snapshot(AbortSignal.timeout(ARRIVAL_MS));
      if (this.#journeys.get(key) === journey) await this.#keep(key, token, data);
    } catch (error) {
      this.#options.log.info({ err: error }, 'a preset was not pictured');
    }
  }

  async remove(key: string, token: string): Promise<void> {
    await this.#removeBefore(key, presetName(token), Number.POSITIVE_INFINITY);
  }

  /** False: another path. */
  readonly onRequest = (request: IncomingMessage, response: ServerResponse): boolean => {
    const match = PATH.exec((request.url ?? '').split('?')[0] ?? '');
    if (!match) return false;
    const [, ticket = '', name = ''] = match;
    const opened = this.#options.tickets.open(ticket, ['preset']);
    if ('code' in opened) {
      refuse(response, opened.status, opened.code);
      return true;
    }
    const { deviceSerial, channelNo } = opened.grant;
    this.#newest(`${deviceSerial}-${channelNo}`, name).then(
      (body) => {
        const headers = { 'content-type': 'image/jpeg', 'content-length': body.length };
        response.writeHead(200, {
          ...headers,
          'cache-control': 'no-store, private',
          'x-content-type-options': 'nosniff',
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      () => refuse(response, 404, ERROR_CODES.notFound),
    );
    return true;
  };

  async #arrived(head: PtzController | undefined, isWanted: () => boolean): Promise<boolean> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    while (isWanted() && clock.monotonicMs() - startMs < ARRIVAL_MS) {
      await wait(this.#options.clock, LOOK_EVERY_MS);
      const isMoving = (await head?.isMoving(AbortSignal.timeout(ARRIVAL_MS))) ?? null;
      if (isMoving === false) return isWanted();
      if (isMoving === null && clock.monotonicMs() - startMs >= UNTOLD_MS) return isWanted();
    }
    return false;
  }

  async #keep(key: string, token: string, data: Uint8Array): Promise<void> {
    const { disk, clock } = this.#options;
    const at = Math.round(clock.wallMs());
    await disk.makeFolder(this.#folder(key));
    await disk.replaceFile(this.#path(key, presetName(token), at), data);
    await this.#removeBefore(key, presetName(token), at);
  }

  /** Ignores the time in the address: the page may have listed presets before the snapshot was renewed. */
  async #newest(key: string, preset: string): Promise<Uint8Array> {
    const read = async (): Promise<Uint8Array> => {
      const at = (await this.taken(key)).get(preset);
      if (at === undefined) throw new Error('not pictured');
      return await this.#options.disk.readWhole(this.#path(key, preset, at));
    };
    // Retried once if a newer file replaced it between listing and reading.
    return await read().catch(read);
  }

  async #removeBefore(key: string, preset: string, before: number): Promise<void> {
    for (const one of await this.#all(key)) {
      if (one.preset === preset && one.at < before)
        await this.#options.disk.removeFile(this.#path(key, preset, one.at));
    }
  }

  async #all(key: string): Promise<readonly { readonly preset: string; readonly at: number }[]> {
    const entries = await this.#options.disk.list(this.#folder(key));
    return entries.flatMap(({ name }) => {
      const [, preset, at] = /^([0-9a-f]{24})-(\d+)\.jpg$/.exec(name) ?? [];
      return preset === undefined ? [] : [{ preset, at: Number(at) }];
    });
  }

  #folder(key: string): string {
    return join(this.#options.folder, key);
  }

  #path(key: string, name: string, at: number): string {
    return join(this.#folder(key), `${name}-${at}.jpg`);
  }
}

/** Hashed: a token is text of the device and no safe file name. */
export function presetName(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 24);
}

function refuse(response: ServerResponse, status: number, code: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store, private' });
  response.end(JSON.stringify({ code, message: errorName(code) ?? 'notFound' }));
}
