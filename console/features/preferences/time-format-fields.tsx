// How dates and times are written: the order of day, month and year, and a clock of 24 or 12 hours, each with an example.
import { CLOCK_HOURS, type ClockHours, DATE_ORDERS, type DateOrder } from '@vedette/contract/enumerations.ts';
import { formatClock, formatDate, type TimePreference, timeFormatOf } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { saveTimeFormat } from './account-preferences.ts';

/** An afternoon whose day can't be a month. */
const EXAMPLE = new Date(2026, 10, 26, 14, 30).getTime();
/** Of the list, where nothing is chosen. */
const UNCHOSEN = '';

export function TimeFormatFields() {
  const t = useT();
  const caller = useCaller();
  const isOverseas = useClientState((state) => state.environment.isOverseasFlag);
  const chosen = useClientState((state) => state.timePreference);
  const example = (preference: Partial<TimePreference>) =>
    timeFormatOf(isOverseas, { dateOrder: null, clockHours: null, ...preference });
  const date = (dateOrder: DateOrder | null): string => formatDate(EXAMPLE, example({ dateOrder }));
  const clock = (clockHours: ClockHours | null): string => formatClock(EXAMPLE, example({ clockHours }), false);
  return (
    <>
      <SelectField
        label={t('personal.dateOrder')}
        value={chosen.dateOrder ?? UNCHOSEN}
        options={[
          { value: UNCHOSEN, label: t('personal.timeUsual', { example: date(null) }) },
          ...DATE_ORDERS.map((order) => ({ value: order, label: date(order) })),
        ]}
        onValue={(value) => {
          const dateOrder = DATE_ORDERS.find((order) => order === value) ?? null;
          void saveTimeFormat(caller, { dateOrder });
        }}
      />
      <SelectField
        label={t('personal.clockHours')}
        value={String(chosen.clockHours ?? UNCHOSEN)}
        options={[
          { value: UNCHOSEN, label: t('personal.timeUsual', { example: clock(null) }) },
          ...CLOCK_HOURS.map((hours) => ({ value: String(hours), label: clock(hours) })),
        ]}
        onValue={(value) => {
          const clockHours = CLOCK_HOURS.find((hours) => String(hours) === value) ?? null;
          void saveTimeFormat(caller, { clockHours });
        }}
      />
    </>
  );
}
