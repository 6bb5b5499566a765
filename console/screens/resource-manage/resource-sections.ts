// The sections of the resources screen, in their order: another resource adds a folder and a row.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

export interface ResourceSection {
  /** Its name in the address. */
  readonly id: string;
  readonly title: PlainKey;
  /** Shown to these user types alone; to all where absent. */
  readonly userTypes?: readonly number[];
  readonly Section: LazyExoticComponent<ComponentType>;
}

export const RESOURCE_SECTIONS: readonly ResourceSection[] = [
  {
    id: 'resources',
    title: 'resources.title',
    Section: lazy(async () => ({ default: (await import('./resources/resources-section.tsx')).ResourcesSection })),
  },
  {
    id: 'trial',
    title: 'trial.title',
    Section: lazy(async () => ({ default: (await import('./trial/trial-section.tsx')).TrialSection })),
  },
  {
    id: 'cdn-live',
    title: 'cdn.title',
    Section: lazy(async () => ({ default: (await import('./cdn-live/cdn-live-section.tsx')).CdnLiveSection })),
  },
  {
    id: 'quotas',
    title: 'quotas.title',
    userTypes: [USER_TYPE.super],
    Section: lazy(async () => ({ default: (await import('./quotas/quotas-section.tsx')).QuotasSection })),
  },
];

/** The first one where the address names none that the user sees. */
export function chosenSection(
  address: URLSearchParams,
  sections: readonly ResourceSection[],
): ResourceSection | undefined {
  const asked = address.get('section');
  return sections.find(({ id }) => id === asked) ?? sections[0];
}

export function sectionsFor(userType: number): readonly ResourceSection[] {
  return RESOURCE_SECTIONS.filter(({ userTypes }) => userTypes?.includes(userType) ?? true);
}
