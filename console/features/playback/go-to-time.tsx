// Goes to a time of the day in sight, typed as on a clock: 9:05, 14:30:20.
import { IconCornerDownLeft } from '@tabler/icons-react';
import { type Ref, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import style from './go-to-time.module.css';
import { parseClock } from './parse-clock.ts';
import type { ClockTime } from '../calendar/zone-time.ts';

export interface GoToTimeProps {
  readonly onTime: (time: ClockTime) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export function GoToTime({ onTime, ref }: GoToTimeProps) {
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
        placeholder="14:30:00"
        inputMode="numeric"
        maxLength={8}
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
