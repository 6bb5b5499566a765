// The sections of the System screen: each has an address, stands in the navigation beside it and is found by the command palette.
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { PATHS, type TabPath } from './paths.ts';

export const SYSTEM_SECTIONS = [
  'health',
  'storage',
  'cloud',
  'sites',
  'network',
  'certificate',
  'accounts',
  'identity',
  'mail',
  'region',
  'sharing',
  'alarms',
  'logs',
  'versions',
] as const;
export type SystemSection = (typeof SYSTEM_SECTIONS)[number];

export const SYSTEM_SECTION_TITLES: Readonly<Record<SystemSection, PlainKey>> = {
  health: 'health.title',
  storage: 'system.storage',
  cloud: 'cloud.title',
  sites: 'sites.title',
  network: 'system.sectionNetwork',
  certificate: 'system.certificate',
  accounts: 'system.sectionAccounts',
  identity: 'identity.title',
  mail: 'system.sectionMail',
  region: 'environment.title',
  sharing: 'system.sectionSharing',
  alarms: 'system.sectionAlarms',
  logs: 'systemLog.title',
  versions: 'versions.title',
};

/** The first one where the address names none. */
export function readSystemSection(address: URLSearchParams): SystemSection {
  const asked = address.get('section');
  return SYSTEM_SECTIONS.find((one) => one === asked) ?? SYSTEM_SECTIONS[0];
}

/** On the screen itself, or on its tab of the workspace. */
export function systemAddress(section: SystemSection, path: typeof PATHS.system | TabPath = PATHS.system): string {
  return `${path}?${new URLSearchParams({ section })}`;
}
