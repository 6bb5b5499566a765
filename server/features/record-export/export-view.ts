// An export for its creator: the request joined with the report of the site.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { SiteExport } from '@vedette/contract/site/site-export.ts';
import type { ExportTaskRow } from '../../database/schema/schema.ts';

export type ExportView = Omit<CallOutput<'record/export/start'>, 'otherTasks'>;

type Shown = Omit<SiteExport, 'taskId' | 'state' | 'code'>;

/** Also of a field that a stored report of an older version lacks. */
const unreported: Shown = {
  percent: 0,
  bytesDone: 0,
  bytesTotal: 0,
  name: '',
  sha256: '',
  files: [],
  gaps: [],
  finishedAt: null,
  expiresAt: null,
};

/** `report`: the newest of the site; null where it has none, then the stored one stands. */
export function exportView(row: ExportTaskRow, report: SiteExport | null): ExportView {
  const known = row.state === 'failed' ? row.report : (report ?? row.report);
  const { percent, bytesDone, bytesTotal, name, sha256, files, gaps, finishedAt, expiresAt }: Shown = {
    ...unreported,
    ...known,
  };
  return {
    task: row.task_id,
    state: known?.state ?? (row.state as ExportView['state']),
    code: known?.code ?? row.code,
    items: row.items.map(({ deviceSerial, channelNo, channelName, startTime, endTime }) => {
      return { deviceSerial, channelNo, channelName, startTime, endTime };
    }),
    quality: row.items[0]?.quality ?? 0,
    burnIn: row.items.some(({ burnInZone }) => Boolean(burnInZone)),
    percent,
    bytesDone,
    bytesTotal,
    name,
    sha256,
    fileList: files.map((file) => {
      const { startTime, endTime, pictures } = file;
      return { name: file.name, bytes: file.bytes, sha256: file.sha256, startTime, endTime, pictures };
    }),
    gapList: [...gaps],
    createTime: row.created_at,
    finishTime: finishedAt,
    expireTime: expiresAt,
  };
}
