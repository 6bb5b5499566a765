// Says once per session that maintenance is planned (RT-15).
import { IconTool } from '@tabler/icons-react';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import style from './maintenance-tip.module.css';
import { useServerOffer } from './server-offer.query.ts';

/** Text and times of what was shown: another announcement is shown again. */
const STORAGE_KEY = 'vedette.maintenance';

export function MaintenanceTip() {
  const t = useT();
  const format = useTimeFormat();
  const { data } = useServerOffer();
  const [closed, setClosed] = useState(() => sessionStorage.getItem(STORAGE_KEY));
  const maintenance = data?.maintenance ?? null;
  if (maintenance === null || closed === JSON.stringify(maintenance)) return null;
  const close = (): void => {
    const shown = JSON.stringify(maintenance);
    sessionStorage.setItem(STORAGE_KEY, shown);
    setClosed(shown);
  };
  const time = (at: number) => formatDateTime(at, format, false);
  return (
    <section className={style.tip} role="status" aria-label={t('maintenance.title')}>
      <IconTool size={18} stroke={1.6} aria-hidden="true" />
      <div className={style.words}>
        <p className={style.title}>{t('maintenance.title')}</p>
        <p>{maintenance.text}</p>
        <p className={style.span}>
          {t('maintenance.span', { start: time(maintenance.startTime), end: time(maintenance.endTime) })}
        </p>
      </div>
      <Button onClick={close}>{t('maintenance.close')}</Button>
    </section>
  );
}
