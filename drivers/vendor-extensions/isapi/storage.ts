// Disks and cards of a Hikvision device: ContentMgmt/Storage with its formatting, and whether it overwrites old recordings.
import { RECORD_STATUS } from '@vedette/contract/enumerations.ts';
import type { SectionValue } from '@vedette/contract/config/sections.ts';
import type { XmlElement } from '@vedette/protocols/xml/xml.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { AddedPart, VendorExtension } from '../vendor-extension.ts';
import { worstStatus } from '../record-status.ts';
import { IsapiDocument } from './isapi-document.ts';

type Disk = NonNullable<SectionValue<'storage'>['disks']>[number];

const STORAGE = '/ISAPI/ContentMgmt/Storage';
const MEGABYTE = 1024 * 1024;
const LOOK_EVERY_MS = 1000;

const statuses: Readonly<Record<string, number>> = {
  ok: RECORD_STATUS.normal,
  idle: RECORD_STATUS.normal,
  formatting: RECORD_STATUS.unformatted,
  unformatted: RECORD_STATUS.unformatted,
  uninitialized: RECORD_STATUS.unformatted,
  notexist: RECORD_STATUS.noCard,
};

export const storagePart: AddedPart<'storage'> = {
  isFirst: true,
  read: async (http, _channelNo, signal) => {
    const document = new IsapiDocument(await http.get(STORAGE, signal));
    const disks = document.all('hddList/hdd').map((disk) => diskOf(document, disk));
    if (document.at('hddList') === undefined) throw new DeviceFault('not-supported', 'no list of disks');
    return {
      value: { recordStatus: worstStatus(disks.map(({ recordStatus }) => recordStatus)), disks },
      capabilities: {
        recordStatus: { min: RECORD_STATUS.unknown, max: RECORD_STATUS.abnormal },
        disks: {
          most: disks.length,
          isFixed: true,
          item: {
            name: { most: 64 },
            kind: { options: [] },
            totalBytes: {},
            usedBytes: {},
            recordStatus: { min: RECORD_STATUS.unknown, max: RECORD_STATUS.abnormal },
            canFormat: {},
          },
        },
      },
    };
  },
};

function diskOf(document: IsapiDocument, disk: XmlElement): Disk {
  const status = document.text('status', disk)?.toLowerCase() ?? '';
  const total = (document.number('capacity', disk) ?? 0) * MEGABYTE;
  const free = (document.number('freeSpace', disk) ?? 0) * MEGABYTE;
  const id = document.text('id', disk) ?? '';
  const type = document.text('hddType', disk) ?? '';
  return {
    id,
    name: document.text('hddName', disk) ?? id,
    kind: /sd|card|virtual/iu.test(type) ? 'card' : 'disk',
    totalBytes: total,
    usedBytes: Math.max(0, total - free),
    recordStatus: statuses[status] ?? RECORD_STATUS.abnormal,
    canFormat: status !== 'notexist',
  };
}

export const formatDisk: VendorExtension['formatDisk'] = async (http, id, onPercent, signal) => {
  const place = `${STORAGE}/hdd/${encodeURIComponent(id)}`;
  await http.put(`${place}/format`, '', signal);
  const until = signal ?? http.context.signal;
  for (;;) {
    const document = new IsapiDocument(await http.get(`${place}/formatStatus`, signal));
    // Their own spelling, and the one that is right.
    const isGoingOn = document.flag('formating') ?? document.flag('formatting') ?? false;
    onPercent(Math.round(document.number('percent') ?? 0));
    if (!isGoingOn) return;
    await wait(http.context.clock, LOOK_EVERY_MS, until);
    until.throwIfAborted();
  }
};
