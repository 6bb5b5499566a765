// Limits as the operator types them: bytes in gigabytes, and nothing where the wider limit applies.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { type QuotaName, QUOTAS } from '@vedette/contract/quotas.ts';
import { GIGABYTE } from '@vedette/rules/byte-size.ts';
import type { HeldQuota } from './quota.query.ts';

/** What was changed; null: the wider limit applies again. */
export type QuotaDraft = Readonly<Partial<Record<QuotaName, number | null>>>;

export function stepOf(unit: HeldQuota['unit']): number {
  return unit === 'bytes' ? GIGABYTE : 1;
}

/** In the unit of its field; null while no limit of its own is set. */
export function typedLimit({ quota, unit, limit, isOwn }: HeldQuota, draft: QuotaDraft): number | null {
  const changed = draft[quota];
  if (changed !== undefined) return changed;
  return isOwn ? limit / stepOf(unit) : null;
}

export function isWrongLimit({ quota, unit }: HeldQuota, typed: number | null): boolean {
  return typed !== null && (typed < 0 || Math.round(typed * stepOf(unit)) > QUOTAS[quota].ceiling);
}

/** A monthly quota at its ceiling limits nothing. */
export function isUnlimited({ quota, limit }: HeldQuota): boolean {
  return QUOTAS[quota].scope === 'month' && limit >= QUOTAS[quota].ceiling;
}

export function changedLimits(quotas: readonly HeldQuota[], draft: QuotaDraft): CallInput<'quota/set'>['quotaList'] {
  return quotas.flatMap(({ quota, unit }) => {
    const typed = draft[quota];
    return typed === undefined ? [] : [{ quota, limit: typed === null ? null : Math.round(typed * stepOf(unit)) }];
  });
}
