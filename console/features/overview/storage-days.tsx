// How many days of recordings the storage keeps, and how full it is.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { storageForecast } from '@vedette/rules/storage-forecast.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS, tabPath } from '../../navigation/paths.ts';
import { systemAddress } from '../../navigation/system-sections.ts';
import { useServices } from '../../services/services.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import {
  type SystemHealth,
  type SystemSettings,
  useStorageUse,
  useSystemHealth,
  useSystemSettings,
} from '../system/system.query.ts';
import { OverviewPart, type PartQuery } from './overview-part.tsx';
import style from './overview.module.css';

interface StorageFacts {
  readonly storage: SystemHealth['storage'];
  /** Null while there is too little to measure. */
  readonly keptDays: number | null;
}

/** The three answers that a forecast takes, as one. */
function useStorageFacts(): PartQuery<StorageFacts> {
  const { clock } = useServices();
  const [health, settings, use] = [useSystemHealth(), useSystemSettings(), useStorageUse()];
  return {
    data: factsOf(health.data, settings.data, use.data, clock.wallMs()),
    error: health.error ?? settings.error ?? use.error,
    refetch: () => Promise.all([health, settings, use].map((one) => one.refetch())),
  };
}

function factsOf(
  health: SystemHealth | undefined,
  settings: SystemSettings | undefined,
  use: CallOutput<'system/storage/use'> | undefined,
  now: number,
): StorageFacts | undefined {
  // Without its site nothing can be measured, and that is what is said.
  if (health?.storage === null) return { storage: null, keptDays: null };
  if (health === undefined || settings === undefined || use === undefined) return undefined;
  const { storage } = health;
  const forecast = storageForecast({ ...storage, bytesPerDay: use.bytesPerDay }, settings.config.storage, now);
  return { storage, keptDays: forecast?.keptDays ?? null };
}

export function StorageDays() {
  const t = useT();
  const query = useStorageFacts();
  return (
    <OverviewPart
      title={t('overview.storage')}
      to={systemAddress('storage', tabPath(PATHS.system))}
      toLabel={t('screen.system')}
      query={query}
    >
      {({ storage, keptDays }) =>
        storage === null ? (
          <StateView isSmall title={t('system.siteOffline')} />
        ) : (
          <div className={style.storage}>
            <p>
              {keptDays === null ? (
                t('system.noForecast')
              ) : (
                <>
                  <strong className={style.days}>
                    {keptDays < 1 ? t('overview.underDay') : t.plural('overview.days', Math.floor(keptDays))}
                  </strong>{' '}
                  <span>{t('overview.daysKept')}</span>
                </>
              )}
            </p>
            <UsageBar
              label={t('system.usage')}
              share={storage.budgetBytes === 0 ? 0 : storage.usedBytes / storage.budgetBytes}
              tone={storage.state === 'normal' ? 'normal' : storage.state === 'full' ? 'warning' : 'danger'}
            />
            <p className={style.detail}>
              {t('system.used', { used: sizeText(t, storage.usedBytes), budget: sizeText(t, storage.budgetBytes) })}
            </p>
          </div>
        )
      }
    </OverviewPart>
  );
}
