// How large an export would be: asked once the form rests, never for a range that cannot be.
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useCaller } from '../../services/services.ts';
import type { ExportOrder } from './export.query.ts';

export function useEstimate(order: Pick<ExportOrder, 'items' | 'quality'>, isWhole: boolean) {
  const caller = useCaller();
  const { items, quality } = useDeferredValue(order);
  return useQuery({
    queryKey: ['record/export/estimate', items, quality],
    enabled: isWhole && items.length > 0,
    queryFn: ({ signal }) => caller.ask('record/export/estimate', { items, quality }, { signal, showError: false }),
    staleTime: 10_000,
    retry: false,
  });
}
