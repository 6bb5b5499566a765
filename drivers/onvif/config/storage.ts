// Section `storage` within ONVIF's limits: it lists storages, but not how full they are (Core 8.10).
import { RECORD_STATUS } from '@vedette/contract/enumerations.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import { getStorageConfigurations } from '@vedette/protocols/onvif/maintenance-operations.ts';
import { getRecordings } from '@vedette/protocols/onvif/recording-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { orAbsent, type SectionSource } from './section-source.ts';

type Storage = TypeOf<typeof getStorageConfigurations.response>['StorageConfigurations'][number];
type Disk = NonNullable<SectionValue<'storage'>['disks']>[number];

export function storageSection({ session }: SectionSource): ConfigSection<'storage'> {
  return {
    read: async (signal) => {
      const { StorageConfigurations } = await session.call(getStorageConfigurations, {}, signal);
      const hasRecordings = (await session.services()).has('recording');
      const recordings = hasRecordings ? await orAbsent(session.call(getRecordings, {}, signal)) : null;
      if (StorageConfigurations.length === 0 && recordings === null)
        throw new DeviceFault('not-supported', 'the device names no storage');
      return readingOf(StorageConfigurations, recordings?.RecordingItem.length ?? 0);
    },
    write: async () => undefined,
  };
}

/** Recordings prove that storage works; without them its state is unknown. */
export function readingOf(storages: readonly Storage[], recordings: number): SectionReading<'storage'> {
  const recordStatus = recordings > 0 ? RECORD_STATUS.normal : RECORD_STATUS.unknown;
  return {
    value: { recordStatus, disks: storages.map(diskOf) },
    capabilities: {
      recordStatus: { min: RECORD_STATUS.unknown, max: RECORD_STATUS.abnormal },
      disks: { most: storages.length, isFixed: true, item: { name: { most: 128 }, kind: { options: [] } } },
    },
  };
}

function diskOf({ token, Data }: Storage): Disk {
  const isLocal = (Data.type ?? 'LocalStorage') === 'LocalStorage';
  return { id: token, name: (isLocal ? Data.LocalPath : Data.StorageUri) ?? token, kind: isLocal ? 'card' : 'network' };
}
