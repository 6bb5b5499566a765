// Storage: what is used, and the disks, reserve and retention of recordings.
import type { StorageReason } from '@vedette/contract/enumerations.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { Skeleton } from '../../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../../ui/feedback/status-dot.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { UsageBar } from '../../../ui/feedback/usage-bar.tsx';
import { DRAFT_LIMITS, type DraftNumber, isFolderBad, isNumberBad } from './settings-draft.ts';
import { DiskList } from './disk-list.tsx';
import { CameraUse } from './camera-use.tsx';
import { StorageForecastText } from './storage-forecast-text.tsx';
import type { PartProps } from './settings-form.tsx';
import { REASON_KEYS, STATES, TONES } from './storage-reason.ts';
import { useSystemHealth } from '../../../features/system/system.query.ts';
import style from './settings.module.css';

function Usage() {
  const t = useT();
  const format = useTimeFormat();
  const { data, isError } = useSystemHealth();
  if (isError || data?.siteOnline === false) return <Notice tone="warning">{t('system.siteOffline')}</Notice>;
  const storage = data?.storage ?? null;
  if (storage === null)
    return (
      <div className={style.usage}>
        <Skeleton width={160} height={12} />
        <Skeleton height={6} />
        <Skeleton width={240} />
      </div>
    );
  const { usedBytes, budgetBytes, freeBytes, oldestAt, state, reason, diskList } = storage;
  const free = t(freeKey(diskList.length), { free: sizeText(t, freeBytes) });
  const used = t('system.used', { used: sizeText(t, usedBytes), budget: sizeText(t, budgetBytes) });
  const oldest =
    oldestAt === null ? t('system.noRecording') : t('system.oldest', { time: formatDateTime(oldestAt, format, false) });
  return (
    <div className={style.usage}>
      <div className={style.usageTop}>
        <strong className="digits">{used}</strong>
        <StatusDot tone={TONES[state].dot} label={t(STATES[state])} />
      </div>
      <UsageBar
        label={t('system.usage')}
        share={budgetBytes === 0 ? 0 : usedBytes / budgetBytes}
        tone={TONES[state].bar}
      />
      {reason !== null && <Notice tone={state === 'full' ? 'warning' : 'error'}>{t(REASON_KEYS[reason])}</Notice>}
      <p className={style.usageFoot}>{`${free} · ${oldest}`}</p>
    </div>
  );
}

function freeKey(disks: number) {
  return disks > 1 ? 'disks.freeOnAll' : 'system.free';
}

export interface StoragePartProps extends PartProps {
  /** The most that fits on the disk, in gigabytes, where the budget is larger; else null. */
  readonly budgetMaxGb: number | null;
  /** Why the folder of a disk, counted from 0, was refused when it was saved. */
  readonly refusalOf: (disk: number) => StorageReason | null;
}

export function StoragePart({ draft, onDraft, budgetMaxGb, refusalOf }: StoragePartProps) {
  const t = useT();
  const refusal = refusalOf(0);
  const error = (name: DraftNumber): string | null =>
    isNumberBad(draft, name) ? t('valid.number', DRAFT_LIMITS[name]) : null;
  return (
    <SettingsSection title={t('system.storage')} lead={t('system.storageLead')}>
      <Usage />
      <TextField
        label={t('system.folder')}
        value={draft.folder}
        onValue={(folder) => onDraft({ folder })}
        spellCheck={false}
        error={isFolderBad(draft) ? t('valid.folder') : refusal && t(REASON_KEYS[refusal])}
      />
      <div className={style.numbers}>
        <NumberField
          label={t('system.budget')}
          value={draft.budgetGb}
          onValue={(budgetGb) => onDraft({ budgetGb })}
          {...DRAFT_LIMITS.budgetGb}
          decimals={1}
          unit={t('system.gb')}
          hint={t('system.budgetHint')}
          error={error('budgetGb') ?? (budgetMaxGb === null ? null : t('system.budgetTooBig', { max: budgetMaxGb }))}
        />
        <NumberField
          label={t('system.reserve')}
          value={draft.reserveGb}
          onValue={(reserveGb) => onDraft({ reserveGb })}
          {...DRAFT_LIMITS.reserveGb}
          decimals={1}
          unit={t('system.gb')}
          hint={t('system.reserveHint')}
          error={error('reserveGb')}
        />
        <NumberField
          label={t('system.retention')}
          value={draft.retentionDays}
          onValue={(retentionDays) => onDraft({ retentionDays })}
          {...DRAFT_LIMITS.retentionDays}
          unit={t('system.days')}
          hint={t('system.retentionHint')}
          error={error('retentionDays')}
        />
      </div>
      <DiskList draft={draft} onDraft={onDraft} refusalOf={refusalOf} />
      <StorageForecastText draft={draft} />
      <CameraUse />
    </SettingsSection>
  );
}
