// What the time section offers beside its fields: the device's own hour, this computer's hour and this computer's zone.
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { browserZone } from './browser-zone.ts';
import style from './device-config.module.css';
import type { SectionEdit } from './use-section-edit.ts';

export function TimeTools({ edit }: { readonly edit: SectionEdit }) {
  const t = useT();
  const { draft, change } = edit;
  const { now, offset } = draft as { readonly now?: number; readonly offset?: number };
  const format = new Intl.DateTimeFormat(t.language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const takeZone = (): void => {
    const offsetAt = (utcMs: number) => -new Date(utcMs).getTimezoneOffset();
    change({ ...browserZone(new Date().getFullYear(), offsetAt) });
  };
  return (
    <div className={style.tools}>
      <p className={`${style.clock} digits`}>
        {now === undefined ? '–' : format.format(now + (offset ?? 0) * 60_000)}
        <span>{zoneText(offset ?? 0)}</span>
      </p>
      <Button onClick={() => change({ now: Date.now(), source: 'manual' })}>{t('config.takeTime')}</Button>
      <Button onClick={takeZone}>{t('config.takeZone')}</Button>
    </div>
  );
}

function zoneText(offset: number): string {
  const whole = Math.abs(offset);
  const minutes = String(whole % 60).padStart(2, '0');
  return `UTC${offset < 0 ? '−' : '+'}${String(Math.floor(whole / 60)).padStart(2, '0')}:${minutes}`;
}
