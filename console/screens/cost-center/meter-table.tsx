// All consumption of the range by meter: its amount, its price and its cost, and what they cost together.
import type { PriceTable } from '@vedette/contract/calls/cost.ts';
import { METERS } from '@vedette/contract/meters.ts';
import { useId } from 'react';
import { amountText } from '../../features/consumption/amount-text.ts';
import { useT } from '../../language/use-t.ts';
import style from './cost-center.module.css';
import { meterText, moneyText, NOTHING, priceText, totalCost } from './cost-words.ts';
import type { CostSummary } from './cost.query.ts';

export function MeterTable({ summary: { meterList, prices } }: { readonly summary: CostSummary }) {
  const t = useT();
  const titleId = useId();
  const currency = prices?.currency;
  return (
    <section className={style.panel} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('consumption.byMeter')}</h2>
      <table className={style.table} aria-labelledby={titleId}>
        <thead>
          <tr>
            <th scope="col">{t('consumption.group.meter')}</th>
            <th scope="col">{t('consumption.amount')}</th>
            {prices !== null && <th scope="col">{t('consumption.price')}</th>}
            {prices !== null && <th scope="col">{t('consumption.cost')}</th>}
          </tr>
        </thead>
        <tbody>
          {meterList.map((one) => (
            <tr key={one.meter} data-meter={one.meter}>
              <th scope="row">{t(`consumption.meter.${one.meter}`)}</th>
              <td>{meterText(t, one)}</td>
              {prices !== null && <PriceCell prices={prices} meter={one.meter} />}
              {prices !== null && <td>{moneyText(t, one.cost, currency)}</td>}
            </tr>
          ))}
        </tbody>
        {prices !== null && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {t('consumption.total')}
              </th>
              <td>{moneyText(t, totalCost(meterList), currency)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

interface PriceCellProps {
  readonly prices: PriceTable;
  readonly meter: CostSummary['meterList'][number]['meter'];
}

function PriceCell({ prices: { priceList, currency }, meter }: PriceCellProps) {
  const t = useT();
  const found = priceList.find((one) => one.meter === meter);
  if (found === undefined) return <td>{NOTHING}</td>;
  const { pricedPer, unit } = METERS[meter];
  return (
    <td>
      {t('consumption.pricePer', {
        price: priceText(t, found.price, currency),
        amount: amountText(t, pricedPer, unit),
      })}
    </td>
  );
}
