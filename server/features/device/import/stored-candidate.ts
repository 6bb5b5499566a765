// Device candidate from a CSV row, for devices stored without probing.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { SiteCandidate } from '@vedette/contract/site/site.ts';
import { unaskedAddress } from '@vedette/drivers/addresses.ts';
import type { ParsedRow } from '@vedette/rules/onboarding/import-rows.ts';

/** Its first channel is there at once; its streams are learnt when it comes online. */
export function storedCandidate(row: Omit<ParsedRow, 'problems'>, target: string): SiteCandidate {
  return {
    probeId: '',
    ...unaskedAddress(target),
    deviceSerial: row.serial,
    deviceName: row.name,
    deviceType: row.type ?? DEVICE_TYPE.IPC,
    manufacturer: '',
    deviceModel: '',
    deviceVersion: '',
    address: target,
    channels: [{ channelNo: 1, channelName: row.name, streams: [] }],
    capabilities: [],
    warnings: [],
  };
}
