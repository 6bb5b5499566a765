// An export for its creator: the request joined with the report of the site.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { SiteExport } from '@vedette/contract/site/site-export.ts';
import type { ExportTaskRow } from '../../database/schema/schema.ts';

export type ExportView = CallOutput<'record/export/start'>;

/** `report`: the newest of the site; null where it has none, then the stored one stands. */
export function exportView(row: ExportTaskRow, report: SiteExport | null): ExportView {
  const known = row.state === 'failed' ? row.report : (report ?? row.report);
  return {
    task: row.task_id,
    state: known?.state ?? (row.state as ExportView['state']),
    code: known?.code ?? row.code,
    items: row.items.map(({ deviceSerial, channelNo, channelName, startTime, endTime }) => {
      return { deviceSerial, channelNo, channelName, startTime, endTime };
    }),
    quality: row.items[0]?.quality ?? 0,
    percent: known?.percent ?? 0,
    bytesDone: known?.bytesDone ?? 0,
    bytesTotal: known?.bytesTotal ?? 0,
    name: known?.name ?? '',
    sha256: known?.sha256 ?? '',
    fileList: (known?.files ?? []).map(({ name, bytes, sha256, startTime, endTime, pictures }) => {
      return { name, bytes, sha256, startTime, endTime, pictures };
    }),
    gapList: [...(known?.gaps ?? [])],
    createTime: row.created_at,
    finishTime: known?.finishedAt ?? null,
    expireTime: known?.expiresAt ?? null,
  };
}
