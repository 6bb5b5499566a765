// Opens a cloud plan for a camera, and says before what it will hold.
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCloudChange, useCombos, useEstimate, useRecordedChannels } from './cloud.query.ts';

const FORM = 'cloud-plan';
const COMBOS = [3, 2, 1] as const;
type Combo = (typeof COMBOS)[number];
const USUAL_DAYS = 30;
const MOST_DAYS = 3650;

interface Draft {
  /** Serial and number with a space between them. */
  readonly channel: string | null;
  readonly comboType: Combo;
  readonly days: number | null;
  readonly storeId: string | null;
}

/** Null while anything of it is missing. */
function planOf({ channel, comboType, days }: Draft) {
  const [deviceSerial = '', channelNo = ''] = channel?.split(' ') ?? [];
  if (deviceSerial === '' || days === null || days < 1 || days > MOST_DAYS) return null;
  return { deviceSerial, channelNo: Number(channelNo), comboType, days };
}

export function PlanDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const change = useCloudChange();
  const [draft, setDraft] = useState<Draft>({ channel: null, comboType: 3, days: USUAL_DAYS, storeId: null });
  const [failure, setFailure] = useState<unknown>(null);
  const plan = planOf(draft);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (plan === null) return;
    setFailure(null);
    try {
      await change('cloud/plan/open', { ...plan, ...(draft.storeId !== null && { storeId: draft.storeId }) });
      showToast('success', t('cloud.opened'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cloud.planTitle')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={plan === null}>
            {t('cloud.open')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <PlanFields draft={draft} onDraft={(part) => setDraft((before) => ({ ...before, ...part }))} />
        <Estimate plan={plan} />
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
}

function PlanFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  const channels = useRecordedChannels().data ?? [];
  const stores = useCombos().data?.storeList ?? [];
  const usual = stores.find(({ isDefault }) => isDefault)?.storeId ?? null;
  return (
    <>
      <SelectField
        label={t('cloud.camera')}
        isSearchable
        value={draft.channel}
        onValue={(channel) => onDraft({ channel })}
        options={channels.map(({ deviceSerial, channelNo, channelName }) => ({
          value: `${deviceSerial} ${channelNo}`,
          label: channelName,
        }))}
      />
      <SelectField
        label={t('cloud.what')}
        value={String(draft.comboType)}
        onValue={(value) => onDraft({ comboType: COMBOS.find((combo) => String(combo) === value) ?? 3 })}
        options={COMBOS.map((combo) => ({ value: String(combo), label: t(`cloud.combo${combo}`) }))}
      />
      <NumberField
        label={t('cloud.days')}
        unit={t('cloud.daysUnit')}
        value={draft.days}
        onValue={(days) => onDraft({ days })}
        min={1}
        max={MOST_DAYS}
      />
      <SelectField
        label={t('cloud.store')}
        value={draft.storeId ?? usual}
        onValue={(storeId) => onDraft({ storeId })}
        options={stores.map(({ storeId, storeName }) => ({ value: storeId, label: storeName }))}
      />
    </>
  );
}

function Estimate({ plan }: { readonly plan: ReturnType<typeof planOf> }) {
  const t = useT();
  const { data } = useEstimate(plan);
  if (plan === null || data === undefined || data === null) return null;
  const { bytes } = data;
  return (
    <p className={style.hint} aria-live="polite">
      {bytes === null ? t('cloud.estimateUnknown') : t('cloud.estimate', { days: plan.days, size: sizeText(t, bytes) })}
    </p>
  );
}
