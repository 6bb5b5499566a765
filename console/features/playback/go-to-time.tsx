// Goes to a time of the day in sight, typed as on a clock: 9:05, 14:30:20.
import { IconCornerDownLeft } from '@tabler/icons-react';
import { formatClock, type TimeFormat } from '@vedette/rules/time-format.ts';
import { type Ref, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import style from './go-to-time.module.css';
import { parseClock } from './parse-clock.ts';
import type { ClockTime } from '../calendar/zone-time.ts';

export interface GoToTimeProps {
  readonly format: TimeFormat;
  readonly onTime: (time: ClockTime) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

const EXAMPLE = new Date(2026, 0, 1, 14, 30).getTime();

export function GoToTime({ format, onTime, ref }: GoToTimeProps) {
  const t = useT();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        const time = parseClock(text);
        setWrong(time === null);
        if (time === null) return;
        onTime(time);
        setText('');
      }}
    >
      <input
        ref={ref}
        className={style.input}
        aria-label={t('playback.goToTime')}
        aria-invalid={isWrong}
        title={isWrong ? t('playback.wrongTime') : t('playback.goToTime')}
        placeholder={formatClock(EXAMPLE, format)}
        inputMode={format.hours === 24 ? 'numeric' : 'text'}
        maxLength={11}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <button type="submit" className={style.go} aria-label={t('playback.go')}>
        <IconCornerDownLeft size={14} stroke={1.8} />
      </button>
    </form>
  );
}
