// What the limits in the form lead to at the measured growth: days kept, and when the storage is full.
import type { Translate } from '@vedette/phrases/translate.ts';
import { GIGABYTE } from '@vedette/rules/byte-size.ts';
import { type StorageForecast, storageForecast } from '@vedette/rules/storage-forecast.ts';
import { formatDate, type TimeFormat } from '@vedette/rules/time-format.ts';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useServices } from '../../../services/services.ts';
import type { SettingsDraft } from './settings-draft.ts';
import { useStorageUse, useSystemHealth } from '../../../features/system/system.query.ts';
import style from './settings.module.css';

export function StorageForecastText({ draft }: { readonly draft: SettingsDraft }) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const storage = useSystemHealth().data?.storage ?? null;
  const use = useStorageUse().data;
  if (storage === null || use === undefined) return <p className={style.forecast} />;
  const { budgetGb, reserveGb, retentionDays } = draft;
  // Of another disk, or of blank fields, nothing can be said.
  if (storage.folder !== draft.folder.trim() || budgetGb === null || retentionDays === null)
    return <p className={style.forecast} />;
  const { bytesPerDay } = use;
  const limits = { budgetBytes: budgetGb * GIGABYTE, reserveBytes: (reserveGb ?? 0) * GIGABYTE, retentionDays };
  const now = clock.wallMs();
  const forecast = storageForecast({ ...storage, bytesPerDay }, limits, now);
  if (forecast === null || bytesPerDay === null) return <p className={style.forecast}>{t('system.noForecast')}</p>;
  const growth = t('system.growth', { size: sizeText(t, bytesPerDay) });
  return <p className={style.forecast}>{[growth, ...forecastParts(t, forecast, { format, now })].join(' · ')}</p>;
}

function forecastParts(
  t: Translate,
  { keptDays, fullAt }: StorageForecast,
  { format, now }: { readonly format: TimeFormat; readonly now: number },
): string[] {
  const days = Math.floor(keptDays);
  const kept = days < 1 ? t('system.keptUnderDay') : t('system.keptDays', { days });
  if (fullAt === null) return [kept, t('system.neverFull')];
  if (fullAt <= now) return [kept, t('system.fullNow')];
  return [kept, t('system.fullOn', { date: formatDate(fullAt, format) })];
}
