// What all ONVIF sections are read with.
import type { ConfigSection } from '../../kit/config-section.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { PlannedChannel } from '../session/channel-plan.ts';
import type { OnvifSession } from '../session/onvif-session.ts';

export interface SectionSource {
  readonly session: OnvifSession;
  readonly plan: PlannedChannel;
}

export type OpenSection<S extends SectionName> = (source: SectionSource) => ConfigSection<S>;

/** Null if the device lacks the function or fails; rejects if the device is offline. */
export async function orAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DeviceFault && (error.kind === 'not-supported' || error.kind === 'device')) return null;
    throw error;
  }
}

/** The value with its limits: absent if the device lacks either. */
export function pick<T extends Readonly<Record<string, unknown>>>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Requested fields that differ. */
export function changedOnly<T extends object>(next: T, before: T): Partial<T> {
  const known = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(known[name]),
    ),
  ) as Partial<T>;
}
