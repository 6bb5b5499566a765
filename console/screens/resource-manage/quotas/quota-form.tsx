// The quotas of one holder as a table with a field for each limit of its own.
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { amountText } from '../../../features/consumption/amount-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { changedLimits, isUnlimited, isWrongLimit, type QuotaDraft, typedLimit } from './quota-draft.ts';
import { type HeldQuota, type QuotaHolder, useSetQuotas } from './quota.query.ts';
import style from './quotas.module.css';

export interface QuotaFormProps {
  readonly holder: QuotaHolder;
  readonly quotas: readonly HeldQuota[];
}

function useQuotaForm({ holder, quotas }: QuotaFormProps) {
  const t = useT();
  const setQuotas = useSetQuotas();
  const [draft, setDraft] = useState<QuotaDraft>({});
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isWrong = quotas.some((one) => isWrongLimit(one, typedLimit(one, draft)));
  const quotaList = changedLimits(quotas, draft);
  const canSave = quotaList.length > 0 && !isWrong;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || !canSave) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await setQuotas({ ...holder, quotaList });
      setDraft({});
      showToast('success', t('quotas.saved'));
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return { draft, setDraft, isBusy, failure, canSave, save };
}

export function QuotaForm(props: QuotaFormProps) {
  const t = useT();
  const { quotas } = props;
  const { draft, setDraft, isBusy, failure, canSave, save } = useQuotaForm(props);
  return (
    <form className={style.form} onSubmit={(event) => void save(event)} noValidate>
      <table className={style.table} aria-label={t('quotas.title')}>
        <thead>
          <tr>
            <th scope="col">{t('quotas.quota')}</th>
            <th scope="col">{t('quotas.applies')}</th>
            <th scope="col">{t('quotas.own')}</th>
          </tr>
        </thead>
        <tbody>
          {quotas.map((one) => (
            <QuotaRow
              key={one.quota}
              quota={one}
              draft={draft}
              onTyped={(typed) => setDraft((before) => ({ ...before, [one.quota]: typed }))}
            />
          ))}
        </tbody>
      </table>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <Button type="submit" look="primary" isBusy={isBusy} disabled={!canSave}>
        {t('quotas.save')}
      </Button>
    </form>
  );
}

interface QuotaRowProps {
  readonly quota: HeldQuota;
  readonly draft: QuotaDraft;
  readonly onTyped: (typed: number | null) => void;
}

const GIGABYTE_DECIMALS = 9;

function QuotaRow({ quota, draft, onTyped }: QuotaRowProps) {
  const t = useT();
  const { unit, limit, used } = quota;
  const typed = typedLimit(quota, draft);
  const most = isUnlimited(quota) ? t('resources.unlimited') : amountText(t, limit, unit);
  return (
    <tr data-quota={quota.quota}>
      <th scope="row">{t(`quotas.of.${quota.quota}`)}</th>
      <td>{used === null ? most : t('quotas.usedOf', { used: amountText(t, used, unit), limit: most })}</td>
      <td>
        <NumberField
          label={t(`quotas.of.${quota.quota}`)}
          isLabelHidden
          value={typed}
          onValue={onTyped}
          min={0}
          max={Number.MAX_SAFE_INTEGER}
          decimals={unit === 'bytes' ? GIGABYTE_DECIMALS : 0}
          {...(unit === 'count' ? {} : { unit: t(`quotas.unit.${unit}`) })}
          error={isWrongLimit(quota, typed) ? t('quotas.tooMuch') : null}
        />
      </td>
    </tr>
  );
}
