// The editable form of the settings: gigabytes for people, bytes on the wire, and what is wrong with a field.
import type { SystemConfig } from '@vedette/contract/calls/system.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import { GIGABYTE } from '@vedette/rules/byte-size.ts';
import { largestBudget } from '@vedette/rules/storage-forecast.ts';

export interface DiskDraft {
  readonly folder: string;
  /** Null while the field is blank. */
  readonly budgetGb: number | null;
  readonly isEmptying: boolean;
}

export interface SettingsDraft {
  readonly folder: string;
  /** Of the first disk. */
  readonly isEmptying: boolean;
  readonly moreDisks: readonly DiskDraft[];
  /** Null while a field is blank. */
  readonly budgetGb: number | null;
  readonly reserveGb: number | null;
  readonly retentionDays: number | null;
  readonly cameraNetworks: readonly string[];
  readonly alarmDays: number | null;
  readonly topicList: SystemConfig['alarms']['topicList'];
  readonly messageNetworks: readonly string[];
  readonly autoAccept: boolean;
}

export const DRAFT_LIMITS = {
  budgetGb: { min: 1, max: 1_000_000 },
  reserveGb: { min: 0, max: 100_000 },
  retentionDays: { min: 1, max: 3650 },
  alarmDays: { min: 1, max: ALARM_LIMITS.retentionDays },
} as const;
export type DraftNumber = keyof typeof DRAFT_LIMITS;
export const NETWORKS_MAX = 64;

function toGigabytes(bytes: number): number {
  return Math.round((bytes / GIGABYTE) * 10) / 10;
}

export function draftOf(config: SystemConfig): SettingsDraft {
  return {
    folder: config.storage.folder,
    isEmptying: config.storage.isEmptying ?? false,
    moreDisks: (config.storage.moreDisks ?? []).map(({ folder, budgetBytes, isEmptying }) => ({
      folder,
      budgetGb: toGigabytes(budgetBytes),
      isEmptying,
    })),
    budgetGb: toGigabytes(config.storage.budgetBytes),
    reserveGb: toGigabytes(config.storage.reserveBytes),
    retentionDays: config.storage.retentionDays,
    cameraNetworks: config.network.cameraNetworks,
    alarmDays: config.alarms.retentionDays,
    topicList: config.alarms.topicList,
    messageNetworks: config.alarms.messageNetworks,
    autoAccept: config.sharing.autoAccept,
  };
}

/** A size that was not touched keeps its exact bytes. */
export function configOf(draft: SettingsDraft, seen: SystemConfig): SystemConfig {
  const bytes = (gigabytes: number | null, before: number): number =>
    gigabytes === null || gigabytes === toGigabytes(before) ? before : Math.round(gigabytes * GIGABYTE);
  return {
    storage: {
      folder: draft.folder.trim(),
      budgetBytes: bytes(draft.budgetGb, budgetOf(seen, draft.folder.trim()) || seen.storage.budgetBytes),
      reserveBytes: bytes(draft.reserveGb, seen.storage.reserveBytes),
      retentionDays: draft.retentionDays ?? seen.storage.retentionDays,
      isEmptying: draft.isEmptying,
      moreDisks: draft.moreDisks.map(({ folder, budgetGb, isEmptying }) => ({
        folder: folder.trim(),
        budgetBytes: bytes(budgetGb, budgetOf(seen, folder.trim())),
        isEmptying,
      })),
    },
    network: { cameraNetworks: [...draft.cameraNetworks] },
    alarms: {
      retentionDays: draft.alarmDays ?? seen.alarms.retentionDays,
      topicList: draft.topicList,
      messageNetworks: [...draft.messageNetworks],
    },
    sharing: { autoAccept: draft.autoAccept },
  };
}

/** The disk of that folder may have moved in the list. */
function budgetOf({ storage }: SystemConfig, folder: string): number {
  if (storage.folder === folder) return storage.budgetBytes;
  return storage.moreDisks?.find((disk) => disk.folder === folder)?.budgetBytes ?? 0;
}

/** The first disk gives way to the one after it. */
export function withoutFirst(draft: SettingsDraft): Partial<SettingsDraft> {
  const [next, ...moreDisks] = draft.moreDisks;
  return next ? { ...next, moreDisks } : {};
}

export function isFolderBad(draft: { readonly folder: string }): boolean {
  const folder = draft.folder.trim();
  return !/^(?:\/|[A-Za-z]:[\\/])/.test(folder) || folder.length > 512;
}

export function isNumberBad(draft: SettingsDraft, name: DraftNumber): boolean {
  const value = draft[name];
  const { min, max } = DRAFT_LIMITS[name];
  return value === null || !Number.isFinite(value) || value < min || value > max;
}

export function isBudgetBad(budgetGb: number | null): boolean {
  const { min, max } = DRAFT_LIMITS.budgetGb;
  return budgetGb === null || !Number.isFinite(budgetGb) || budgetGb < min || budgetGb > max;
}

export function isDraftGood(draft: SettingsDraft): boolean {
  const areDisksGood = draft.moreDisks.every((disk) => !isFolderBad(disk) && !isBudgetBad(disk.budgetGb));
  return (
    areDisksGood &&
    !isFolderBad(draft) &&
    (Object.keys(DRAFT_LIMITS) as DraftNumber[]).every((name) => !isNumberBad(draft, name))
  );
}

export function isChanged(draft: SettingsDraft, config: SystemConfig): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(config));
}

type Disk = Readonly<Record<'usedBytes' | 'freeBytes', number>> & { readonly folder: string };

/** The most that fits on the disk, in gigabytes, where the budget is larger. The disk of another folder is known to the server alone. */
export function exceededBudget(draft: SettingsDraft, disk: Disk | null): number | null {
  if (disk === null || disk.folder !== draft.folder.trim() || draft.budgetGb === null) return null;
  const largest = largestBudget({ ...disk, bytesPerDay: null }, (draft.reserveGb ?? 0) * GIGABYTE);
  return draft.budgetGb * GIGABYTE > largest ? Math.floor((largest / GIGABYTE) * 10) / 10 : null;
}

export function isStorageChanged(draft: SettingsDraft, config: SystemConfig): boolean {
  const before = draftOf(config);
  return (['folder', 'budgetGb', 'reserveGb'] as const).some((name) => draft[name] !== before[name]);
}

const BITS = { v4: 32, v6: 128 };

/** CIDR form of IPv4 or IPv6; the server has the last word. */
export function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (address.includes(':')) return /^[0-9a-f:.]{2,45}$/i.test(address) && Number(bits) <= BITS.v6;
  const parts = address.split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255) &&
    Number(bits) <= BITS.v4
  );
}
