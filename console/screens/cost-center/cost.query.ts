// Consumption as the screen asks for it, and the prices as it saves them.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { PriceTable } from '@vedette/contract/calls/cost.ts';
import { useCaller } from '../../services/services.ts';
import { type AskedCosts, isWhole } from './asked-costs.ts';

export type CostSummary = CallOutput<'cost/summary'>;
export type CostDetail = CallOutput<'cost/detail'>;

export interface Costs {
  readonly summary: CostSummary;
  readonly detail: CostDetail;
}

const COSTS = 'costs';
const AGAIN_EVERY_MS = 60_000;

export function useCosts(asked: AskedCosts) {
  const caller = useCaller();
  const { range, groupBy, startTime, endTime } = asked;
  const custom = range === 'custom' && startTime !== null && endTime !== null ? { startTime, endTime } : {};
  return useQuery({
    queryKey: [COSTS, range, groupBy, custom],
    queryFn: async ({ signal }): Promise<Costs> => {
      const options = { signal, showError: false };
      const [summary, detail] = await Promise.all([
        caller.ask('cost/summary', { range, groupBy, ...custom }, options),
        caller.ask('cost/detail', { range, ...custom }, options),
      ]);
      return { summary, detail };
    },
    enabled: isWhole(asked),
    refetchInterval: AGAIN_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Then what is shown is asked for again. */
export function useSavePrices(): (prices: PriceTable | null) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (prices) => {
    await caller.ask('cost/price/set', { prices }, { showError: false });
    await client.invalidateQueries({ queryKey: [COSTS] });
  };
}
