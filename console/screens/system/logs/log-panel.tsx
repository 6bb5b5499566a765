// The log of the installation: filtered, followed while it is written, and given as a file.
import { LOG_PARTS, type LogLevel, type LogPart } from '@vedette/contract/calls/system-log.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../../ui/feedback/state-view.tsx';
import { LogDetail } from './log-detail.tsx';
import { type LogFilter, useLog } from './log.query.ts';
import { LogRows } from './log-rows.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import style from './logs.module.css';

const LEVELS: readonly LogLevel[] = ['debug', 'warning', 'error'];

/** Level and process stand in the address, so that other screens lead to them. */
function useLogFilter() {
  const [address, setAddress] = useSearchParams();
  const [rest, setRest] = useState<Pick<LogFilter, 'keyWord' | 'startTime' | 'endTime'>>({
    keyWord: '',
    startTime: null,
    endTime: null,
  });
  const filter: LogFilter = {
    level: LEVELS.find((level) => level === address.get('level')) ?? 'debug',
    part: LOG_PARTS.find((part) => part === address.get('part')) ?? null,
    ...rest,
  };
  const change = ({ level, part, ...more }: Partial<LogFilter>): void => {
    setRest((before) => ({ ...before, ...more }));
    if (level === undefined && part === undefined) return;
    setAddress(
      (before) => {
        const words = new URLSearchParams(before);
        setWord(words, 'level', level === 'debug' ? null : level);
        setWord(words, 'part', part);
        return words;
      },
      { replace: true },
    );
  };
  return { filter, change };
}

function setWord(words: URLSearchParams, name: string, value: LogLevel | LogPart | null | undefined): void {
  if (value === null) words.delete(name);
  else if (value !== undefined) words.set(name, value);
}

export function LogPanel() {
  const { filter, change } = useLogFilter();
  const [isPaused, setPaused] = useState(false);
  const [isAtTop, setAtTop] = useState(true);
  const isFollowed = !isPaused && isAtTop && filter.endTime === null;
  const log = useLog(filter, isFollowed);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = log.lines.find(({ lineId }) => lineId === openId) ?? null;
  return (
    <div className={style.panel}>
      <LogToolbar
        filter={filter}
        onChange={change}
        isFollowed={isFollowed}
        onFollow={(isOn) => {
          setPaused(!isOn);
          if (isOn) setAtTop(true);
        }}
      />
      {log.followError !== null && <FollowFailure error={log.followError} />}
      {log.lines.length > 0 && (
        <LogRows
          lines={log.lines}
          openId={openId}
          isFollowed={isFollowed}
          onOpen={setOpenId}
          onAtTop={setAtTop}
          onNearEnd={() => {
            if (log.pages.hasNextPage && !log.pages.isFetching) void log.pages.fetchNextPage();
          }}
        />
      )}
      {log.lines.length === 0 && <LogState log={log} />}
      {open !== null && <LogDetail line={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}

function FollowFailure({ error }: { readonly error: unknown }) {
  const t = useT();
  return (
    <div className={style.notice}>
      <Notice tone="warning">
        {t('systemLog.followFailed')} {failureText(t, error)}
      </Notice>
    </div>
  );
}

/** What stands in place of lines. */
function LogState({ log: { pages, searchedTo } }: { readonly log: ReturnType<typeof useLog> }) {
  const t = useT();
  const format = useTimeFormat();
  if (pages.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={14} rowHeight={28} />
      </div>
    );
  if (pages.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('systemLog.loadFailed')}
        detail={failureText(t, pages.error)}
        action={<Button onClick={() => void pages.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (!pages.hasNextPage) return <StateView title={t('systemLog.empty')} detail={t('systemLog.emptyDetail')} />;
  // A page ends where much was looked at; older lines are a click away.
  return (
    <StateView
      title={t('systemLog.searchedTo', { time: formatDateTime(searchedTo ?? 0, format) })}
      action={
        <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('systemLog.older')}
        </Button>
      }
    />
  );
}
