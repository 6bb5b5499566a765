// What the time section offers beside its fields: the device's own hour, this computer's hour and this computer's zone.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { browserZone } from './browser-zone.ts';
import style from './device-config.module.css';
import type { SectionEdit } from './use-section-edit.ts';
import { utcOffsetText } from './utc-offset.ts';

export function TimeTools({ edit }: { readonly edit: SectionEdit }) {
  const t = useT();
  const { draft, change } = edit;
  const { now, offset } = draft as { readonly now?: number; readonly offset?: number };
  const format = useTimeFormat();
  const takeZone = (): void => {
    const offsetAt = (utcMs: number) => -new Date(utcMs).getTimezoneOffset();
    change({ ...browserZone(new Date().getFullYear(), offsetAt) });
  };
  return (
    <div className={style.tools}>
      <p className={`${style.clock} digits`}>
        {now === undefined ? '–' : formatDateTime(now + (offset ?? 0) * 60_000, { ...format, timeZone: 'UTC' })}
        <span>{utcOffsetText(offset ?? 0)}</span>
      </p>
      <Button onClick={() => change({ now: Date.now(), source: 'manual' })}>{t('config.takeTime')}</Button>
      <Button onClick={takeZone}>{t('config.takeZone')}</Button>
    </div>
  );
}
