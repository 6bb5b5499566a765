// Bookmarks and locks as a list: go there, delete, and take a deletion back.
import type { TimeFormat } from '@vedette/rules/time-format.ts';
import { IconBookmark, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { spanText } from '../export/local-time.ts';
import type { PlaybackChannel } from '../playback/playback-channel.ts';
import { groupMarks, type MarkGroup } from './mark-groups.ts';
import style from './mark-list.module.css';
import { type Mark, type Marks, useMarkActions } from './mark.query.ts';

export interface MarkListProps {
  readonly marks: Marks;
  readonly format: TimeFormat;
  readonly cameraName: (channel: PlaybackChannel) => string;
  readonly onJump: (mark: Mark) => void;
}

const ICON = { size: 15, stroke: 1.7 };

export function MarkList({ marks: { marks, isLoading, failure }, format, cameraName, onJump }: MarkListProps) {
  const t = useT();
  const actions = useMarkActions();
  const [removed, setRemoved] = useState<MarkGroup | null>(null);
  const groups = useMemo(() => groupMarks(marks), [marks]);
  const remove = (group: MarkGroup): void => {
    actions.remove(group.marks).then(
      () => setRemoved(group),
      // The sentence of the refusal is shown by the call itself.
      () => undefined,
    );
  };
  const undo = (group: MarkGroup): void => {
    setRemoved(null);
    actions.add(group.marks).catch(() => setRemoved(group));
  };
  return (
    <div className={style.panel}>
      <h2 className={style.title}>{t('marks.title')}</h2>
      {removed !== null && (
        <Notice tone="info" action={<Button onClick={() => undo(removed)}>{t('marks.undo')}</Button>}>
          {t(removed.first.kind === 'lock' ? 'marks.unlocked' : 'marks.deleted', { name: removed.first.name })}
        </Notice>
      )}
      {failure !== null && (
        <StateView isSmall role="alert" title={t('marks.failed')} detail={failureText(t, failure)} />
      )}
      {isLoading && marks.length === 0 && <SkeletonLines label={t('common.loading')} rows={3} rowHeight={36} />}
      {!isLoading && failure === null && marks.length === 0 && (
        <StateView isSmall title={t('marks.none')} detail={t('marks.noneDetail')} />
      )}
      <ul className={style.list}>
        {groups.map((group) => (
          <MarkRow
            key={group.id}
            group={group}
            format={format}
            cameras={group.marks.map(({ channel }) => cameraName(channel))}
            onJump={() => onJump(group.first)}
            onRemove={() => remove(group)}
          />
        ))}
      </ul>
    </div>
  );
}

interface MarkRowProps {
  readonly group: MarkGroup;
  readonly format: TimeFormat;
  readonly cameras: readonly string[];
  readonly onJump: () => void;
  readonly onRemove: () => void;
}

function MarkRow({ group: { first }, format, cameras, onJump, onRemove }: MarkRowProps) {
  const t = useT();
  const isLock = first.kind === 'lock';
  const Icon = isLock ? IconLock : IconBookmark;
  const RemoveIcon = isLock ? IconLockOpen : IconTrash;
  return (
    <li className={style.row}>
      <button type="button" className={style.jump} onClick={onJump}>
        <Icon {...ICON} />
        <span className={rows.words}>
          <span className={style.name}>{first.name}</span>
          <span className={rows.detail}>{detailOf(first, format, t)}</span>
          <span className={rows.detail} title={cameras.join(', ')}>
            {cameras.join(', ')}
          </span>
        </span>
      </button>
      <IconButton
        label={t(isLock ? 'marks.unlock' : 'marks.deleteBookmark', { name: first.name })}
        size="small"
        tipSide="left"
        onClick={onRemove}
      >
        <RemoveIcon {...ICON} />
      </IconButton>
    </li>
  );
}

function detailOf(
  { start, end, createdBy, reason, isByShare }: Mark,
  format: TimeFormat,
  t: ReturnType<typeof useT>,
): string {
  const when = spanText(start, end, format);
  return [when, reason, createdBy === '' ? '' : t(isByShare ? 'marks.byShare' : 'marks.by', { name: createdBy })]
    .filter((part) => part !== '')
    .join(' · ');
}
