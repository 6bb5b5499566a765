// The exports of the account with their progress; each can be stopped, downloaded again, checked and removed.
import type { ExportTask } from '@vedette/contract/calls/record-export.ts';
import { formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { IconCertificate, IconDownload, IconFileZip, IconMovie, IconTrash, IconX } from '@tabler/icons-react';
import { codeText, failureText } from '../../calls/failure-text.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './export-list.module.css';
import { isPending, useExportActions, useExports } from './export.query.ts';
import { spanText } from './local-time.ts';

const ICON = { size: 15, stroke: 1.7 };

export function ExportList() {
  const t = useT();
  const { exports, data, error, refetch, isPending: isLoading } = useExports();
  if (data === undefined && isLoading) return <SkeletonLines label={t('common.loading')} rows={3} rowHeight={40} />;
  if (data === undefined)
    return (
      <StateView
        isSmall
        role="alert"
        title={t('export.loadFailed')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (exports.length === 0) return <StateView isSmall title={t('export.none')} detail={t('export.noneDetail')} />;
  return (
    <ul className={style.list} aria-label={t('export.title')}>
      {exports.map((one) => (
        <ExportRow key={one.task} task={one} />
      ))}
    </ul>
  );
}

function ExportRow({ task }: { readonly task: ExportTask }) {
  const t = useT();
  const format = useTimeFormat();
  const actions = useExportActions();
  const title = task.name === '' ? titleOf(task, t) : task.name;
  const [first] = task.items;
  const isFinished = task.state === 'finished';
  const Icon = task.items.length > 1 || task.name.endsWith('.zip') ? IconFileZip : IconMovie;
  return (
    <li className={style.row} data-state={task.state}>
      <Icon size={18} stroke={1.5} className={style.icon ?? ''} aria-hidden="true" />
      <div className={style.words}>
        <p className={style.name} title={title}>
          {title}
        </p>
        {first && <p className={style.detail}>{spanText(first.startTime, first.endTime, format)}</p>}
        {isPending(task) && (
          <progress className={style.progress} max={100} value={task.percent} aria-label={t('export.progress')} />
        )}
        <p className={style.detail} data-failed={task.state === 'failed' || undefined}>
          {stateText(task, t, (at) => formatDateTime(at, format))}
        </p>
        <ExportGaps task={task} format={format} />
      </div>
      <div className={style.actions}>
        {isFinished && (
          <>
            <IconButton
              label={t('export.download')}
              size="small"
              onClick={() => void actions.download(task.task, 'file')}
            >
              <IconDownload {...ICON} />
            </IconButton>
            <IconButton
              label={t('export.manifest')}
              size="small"
              onClick={() => void actions.download(task.task, 'manifest')}
            >
              <IconCertificate {...ICON} />
            </IconButton>
            <CopyButton
              text={task.sha256}
              label={t('export.copyHash')}
              doneLabel={t('export.hashCopied')}
              failedLabel={t('common.copyFailed')}
            />
          </>
        )}
        <IconButton
          label={t(isPending(task) ? 'export.cancel' : 'export.remove')}
          size="small"
          onClick={() => void actions.end(task.task)}
        >
          {isPending(task) ? <IconX {...ICON} /> : <IconTrash {...ICON} />}
        </IconButton>
      </div>
    </li>
  );
}

/** Named one by one, the most of them: whoever gets the file must know what is not in it. */
const MOST_GAPS = 5;

function ExportGaps({
  task: { state, gapList, items },
  format,
}: {
  readonly task: ExportTask;
  readonly format: TimeFormat;
}) {
  const t = useT();
  if (state !== 'finished' || gapList.length === 0) return null;
  const rest = gapList.length - MOST_GAPS;
  return (
    <div className={style.gaps}>
      {t.plural('export.gaps', gapList.length)}
      <ul>
        {gapList.slice(0, MOST_GAPS).map(({ item, startTime, endTime }) => (
          <li key={`${item} ${startTime}`}>
            {spanText(startTime, endTime, format)}
            {items.length > 1 && ` · ${items[item]?.channelName ?? ''}`}
          </li>
        ))}
        {rest > 0 && <li>{t.plural('export.moreGaps', rest)}</li>}
      </ul>
    </div>
  );
}

type T = ReturnType<typeof useT>;

function titleOf({ items }: ExportTask, t: T): string {
  return items.length === 1 ? (items[0]?.channelName ?? '') : t.plural('export.items', items.length);
}

function stateText(task: ExportTask, t: T, when: (at: number) => string): string {
  switch (task.state) {
    case 'queued':
      return t('export.queued');
    case 'running': {
      const [done, total] = [sizeText(t, task.bytesDone), sizeText(t, task.bytesTotal)];
      return t('export.running', { percent: task.percent, done, total });
    }
    case 'finished': {
      const until = task.expireTime === null ? '' : when(task.expireTime);
      return t('export.finished', { size: sizeText(t, task.bytesTotal), until });
    }
    case 'failed':
      return task.code === null ? t('export.failed') : codeText(t, task.code, '', null);
  }
}
