// Types of the tables of consumption, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { Generated } from 'kysely';

interface ConsumptionEntryTable {
  source: string;
  sequence: string;
  meter: string;
  account_id: string;
  organization_id: string;
  at: number;
  /** Decimal digits. */
  amount: string;
  is_summed: Generated<boolean>;
}

interface ConsumptionDayTable {
  start_time: number;
  account_id: string;
  organization_id: string;
  meter: string;
  /** Decimal digits. */
  amount: string;
}

interface MeterPriceTable {
  meter: string;
  price: number;
  currency: string;
}

interface BudgetWarningTable {
  account_id: string;
  quota: string;
  month_start: number;
  percent: number;
  warned_at: number;
}

export interface ConsumptionSchema {
  budget_warning: BudgetWarningTable;
  consumption_entry: ConsumptionEntryTable;
  consumption_day: ConsumptionDayTable;
  meter_price: MeterPriceTable;
}
