// Composes the site's exports, answers the server's calls on them, and authorises their downloads.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import type { ExportGrant, ExportRefusal } from '@vedette/media/export/export-endpoint.ts';
import { ManifestSigner } from '@vedette/media/export/export-manifest.ts';
import { Exports } from '@vedette/media/export/exports.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { RecordingsLog } from '@vedette/media/recordings/recordings.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import type { TicketRegistry } from '../tickets/ticket-registry.ts';

export interface SiteExportsOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly storage: SiteStorage;
  readonly masterKey: Buffer;
  readonly log: RecordingsLog;
  readonly ffmpeg: StartFfmpeg | null;
}

export function createExports({ disk, clock, storage, masterKey, log, ffmpeg }: SiteExportsOptions): Exports {
  const exports = new Exports({
    disk,
    wallMs: () => clock.wallMs(),
    after: (ms, run) => clock.after(ms, run),
    storage: () => {
      const { recordings, limits } = storage;
      const { store, folder, state } = recordings;
      return { store, folder, state, limits };
    },
    signer: new ManifestSigner(masterKey),
    ffmpeg,
    onFault: (error) => log.warn({ err: error }, 'an export failed'),
  });
  storage.keepWhile((channelId, startMs, endMs) => exports.needs(channelId, startMs, endMs));
  return exports;
}

export function exportCalls(exports: Exports) {
  return {
    exportStart: async (order: SiteCalls['exportStart']['input']) => {
      await exports.add(order);
      return {};
    },
    exportStatus: async ({ taskIds }: SiteCalls['exportStatus']['input']) => ({
      exports: await exports.reports(taskIds),
    }),
    exportEnd: async ({ taskIds, code }: SiteCalls['exportEnd']['input']) => {
      await exports.end(taskIds, code);
      return {};
    },
    exportEstimate: (input: SiteCalls['exportEstimate']['input']) => exports.estimate(input),
  };
}

/** What a download ticket opens. */
export function exportAuthority(tickets: TicketRegistry, exports: Exports) {
  return (ticket: string): ExportGrant | ExportRefusal => {
    const opened = tickets.open(ticket, ['export']);
    if ('code' in opened) return { allowed: false, ...opened };
    const file = exports.open(opened.grant.exportId ?? '');
    if (!file) return { allowed: false, status: 404, code: ERROR_CODES.notFound };
    return { allowed: true, file, ended: opened.ended, hold: () => opened.hold() };
  };
}
