// The lines of the log as a virtual list: the arrow keys walk through it, Enter or a click opens a line.
import { useVirtualizer } from '@tanstack/react-virtual';
import type { LogLine } from '@vedette/contract/calls/system-log.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { LEVEL_KEYS, PART_KEYS } from './log-words.ts';
import style from './logs.module.css';

const ROW_PX = 28;
/** Time, level and process above the text. */
const PHONE_ROW_PX = 52;
const OVERSCAN = 12;
/** Lines before the end at which older ones are asked for. */
const AHEAD = 40;

export interface LogRowsProps {
  readonly lines: readonly LogLine[];
  readonly openId: string | null;
  readonly isFollowed: boolean;
  readonly onOpen: (lineId: string | null) => void;
  readonly onAtTop: (isAtTop: boolean) => void;
  readonly onNearEnd: () => void;
}

export function LogRows({ lines, openId, isFollowed, onOpen, onAtTop, onNearEnd }: LogRowsProps) {
  const t = useT();
  const prefix = useId();
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = useIsPhone() ? PHONE_ROW_PX : ROW_PX;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    getItemKey: (index) => lines[index]?.lineId ?? index,
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= lines.length - AHEAD) onNearEnd();
  }, [last, lines.length, onNearEnd]);
  // Whoever follows again wants the newest line.
  useEffect(() => {
    if (isFollowed) frame.current?.scrollTo({ top: 0 });
  }, [isFollowed]);
  const current = lines.findIndex(({ lineId }) => lineId === openId);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = nextIndex(event.key, current, lines.length);
    if (to !== null) {
      onOpen(lines[to]?.lineId ?? null);
      virtual.scrollToIndex(to);
    } else if (event.key === 'Escape' && openId !== null) onOpen(null);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      className={style.frame}
      role="listbox"
      tabIndex={0}
      aria-label={t('systemLog.lines')}
      aria-activedescendant={current < 0 ? undefined : `${prefix}${current}`}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => onAtTop(currentTarget.scrollTop < rowPx)}
    >
      <div role="none" className={style.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const { lineId } = line;
          return (
            <LogRow
              key={key}
              id={`${prefix}${index}`}
              line={line}
              start={start}
              isOpen={lineId === openId}
              onOpen={() => onOpen(lineId === openId ? null : lineId)}
            />
          );
        })}
      </div>
    </div>
  );
}

function nextIndex(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(current + 1, count - 1);
    case 'ArrowUp':
      return Math.max(current - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

interface LogRowProps {
  readonly id: string;
  readonly line: LogLine;
  readonly start: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function LogRow({ id, line, start, isOpen, onOpen }: LogRowProps) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <div
      id={id}
      role="option"
      aria-selected={isOpen}
      className={style.row}
      data-level={line.level}
      data-part={line.part}
      style={{ transform: `translateY(${start}px)` }}
      onClick={onOpen}
    >
      <span className={style.time}>{formatDateTime(line.time, format)}</span>
      <span className={style.level}>{t(LEVEL_KEYS[line.level])}</span>
      <span className={style.process}>{t(PART_KEYS[line.part])}</span>
      <span className={style.text}>{line.text}</span>
    </div>
  );
}
