// Bookmarks and locks as a list: go there, delete, and take a deletion back.
import type { TimeFormat } from '@vedette/rules/time-format.ts';
import { IconBookmark, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { spanText } from '../export/local-time.ts';
import style from './mark-list.module.css';
import { type Mark, type Marks, useMarkActions } from './mark.query.ts';

export interface MarkListProps {
  readonly marks: Marks;
  readonly format: TimeFormat;
  readonly onJump: (mark: Mark) => void;
}

export function MarkList({ marks: { marks, isLoading, failure }, format, onJump }: MarkListProps) {
  const t = useT();
  const actions = useMarkActions();
  const [deleted, setDeleted] = useState<Mark | null>(null);
  const remove = (mark: Mark): void => {
    actions.remove(mark).then(
      () => setDeleted(mark),
      // The sentence of the refusal is shown by the call itself.
      () => undefined,
    );
  };
  const undo = (mark: Mark): void => {
    setDeleted(null);
    actions.add(mark).catch(() => setDeleted(mark));
  };
  return (
    <div className={style.panel}>
      <h2 className={style.title}>{t('marks.title')}</h2>
      {deleted !== null && (
        <Notice tone="info" action={<Button onClick={() => undo(deleted)}>{t('marks.undo')}</Button>}>
          {t('marks.deleted', { name: deleted.name })}
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
        {marks.map((mark) => (
          <li key={mark.id} className={style.row}>
            <button type="button" className={style.jump} onClick={() => onJump(mark)}>
              {mark.kind === 'lock' ? <IconLock size={15} stroke={1.7} /> : <IconBookmark size={15} stroke={1.7} />}
              <span className={rows.words}>
                <span className={style.name}>{mark.name}</span>
                <span className={rows.detail}>{detailOf(mark, format, t)}</span>
              </span>
            </button>
            <IconButton
              label={t(mark.kind === 'lock' ? 'marks.unlock' : 'marks.deleteBookmark', { name: mark.name })}
              size="small"
              tipSide="left"
              onClick={() => remove(mark)}
            >
              {mark.kind === 'lock' ? <IconLockOpen size={15} stroke={1.7} /> : <IconTrash size={15} stroke={1.7} />}
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
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
