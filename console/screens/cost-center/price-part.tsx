// The price table, which the operator edits: a currency, and a price for each meter that has one.
import type { PriceTable } from '@vedette/contract/calls/cost.ts';
import { COST_LIMITS } from '@vedette/contract/limits.ts';
import { METER_NAMES, METERS, type MeterName } from '@vedette/contract/meters.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { amountText } from '../../features/consumption/amount-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SettingsSection } from '../../ui/layout/settings-section.tsx';
import style from './cost-center.module.css';
import { PRICE_DECIMALS } from './cost-words.ts';
import { useSavePrices } from './cost.query.ts';

type Draft = Readonly<Partial<Record<MeterName, number | null>>>;

const CURRENCY = /^[A-Z]{3}$/;

function draftOf(prices: PriceTable | null): Draft {
  return Object.fromEntries(prices?.priceList.map(({ meter, price }) => [meter, price]) ?? []);
}

/** Null: no meter has a price. */
function tableOf(currency: string, draft: Draft): PriceTable | null {
  const priceList = METER_NAMES.flatMap((meter) => {
    const price = draft[meter] ?? null;
    return price === null ? [] : [{ meter, price }];
  });
  return priceList.length === 0 ? null : { currency, priceList };
}

export function PricePart({ prices }: { readonly prices: PriceTable | null }) {
  const t = useT();
  const save = useSavePrices();
  const [currency, setCurrency] = useState(prices?.currency ?? '');
  const [draft, setDraft] = useState(() => draftOf(prices));
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const table = tableOf(currency, draft);
  const isWrongCurrency = table !== null && !CURRENCY.test(currency);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || isWrongCurrency) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await save(table);
      showToast('success', t('consumption.pricesSaved'));
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <SettingsSection title={t('consumption.prices')} lead={t('consumption.pricesLead')}>
      <form className={style.prices} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t('consumption.currency')}
          value={currency}
          onValue={(value) => setCurrency(value.toUpperCase())}
          maxLength={3}
          hint={t('consumption.currencyHint')}
          error={isWrongCurrency && currency !== '' ? t('consumption.wrongCurrency') : null}
        />
        {METER_NAMES.map((meter) => (
          <NumberField
            key={meter}
            label={t('consumption.pricedMeter', {
              meter: t(`consumption.meter.${meter}`),
              amount: amountText(t, METERS[meter].pricedPer, METERS[meter].unit),
            })}
            value={draft[meter] ?? null}
            onValue={(price) => setDraft((before) => ({ ...before, [meter]: price }))}
            min={0}
            max={COST_LIMITS.price}
            decimals={PRICE_DECIMALS}
          />
        ))}
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
        <Button type="submit" look="primary" isBusy={isBusy} disabled={isWrongCurrency}>
          {t('consumption.savePrices')}
        </Button>
      </form>
    </SettingsSection>
  );
}
