// What Dahua's CGI adds: tables of its configuration as rows, and its storages.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import { RECORD_STATUS } from '@vedette/contract/enumerations.ts';
import type { SectionValue } from '@vedette/contract/config/sections.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { AddedPart, VendorExtension } from '../vendor-extension.ts';
import { worstStatus } from '../record-status.ts';
import { humanRegionsPart, trackPart } from './analyse-rules.ts';
import { setAll, type Table, tableOf } from './cgi-tables.ts';
import { readKeyValues } from './key-values.ts';

type Disk = NonNullable<SectionValue<'storage'>['disks']>[number];

const SEGMENTS = 6;
const MOST_DISKS = 32;
const SENSITIVITIES = ['Low', 'Middle', 'High'];

/** Sunday is 0 with them; `1 08:00:00-12:00:00` is a span that counts. */
function eventPart<S extends 'motion' | 'humanShape'>(name: string): AddedPart<S> {
  const at = (channelNo: number) => `${name}[${channelNo - 1}].EventHandler`;
  return {
    read: async (http, channelNo, signal) => {
      const table = await tableOf(http, name, signal);
      const prefix = at(channelNo);
      if (!table.has(`${prefix}.TimeSection[0][0]`)) throw new DeviceFault('not-supported', 'no time sections');
      const linkage = Object.entries(linkages).flatMap(([word, key]) =>
        table.get(`${prefix}.${key}`) === 'true' ? [word] : [],
      );
      const options = Object.keys(linkages).filter((word) => table.has(`${prefix}.${linkages[word]}`));
      return {
        value: { plan: readPlan(table, prefix), linkage },
        capabilities: { plan: { most: SEGMENTS, hasHoliday: false }, linkage: { options } },
      } as never;
    },
    write: async (http, channelNo, { change }, signal) => {
      const { plan, linkage } = change as { plan?: WeekTimes; linkage?: readonly string[] };
      const table = await tableOf(http, name, signal);
      const prefix = at(channelNo);
      const flags = Object.entries(linkages).flatMap(([word, key]): [string, string][] =>
        linkage === undefined || !table.has(`${prefix}.${key}`)
          ? []
          : [[`${prefix}.${key}`, String(linkage.includes(word))]],
      );
      await setAll(
        http,
        { ...(plan === undefined ? {} : writePlan(plan, prefix)), ...Object.fromEntries(flags) },
        signal,
      );
    },
  };
}

const linkages: Readonly<Record<string, string>> = {
  record: 'RecordEnable',
  snapshot: 'SnapshotEnable',
  email: 'MailEnable',
  output: 'AlarmOutEnable',
  beep: 'BeepEnable',
};

export function readPlan(table: Table, prefix: string): WeekTimes {
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    day,
    entryList: Array.from({ length: SEGMENTS }, (_, at) =>
      table.get(`${prefix}.TimeSection[${day % 7}][${at}]`),
    ).flatMap((text) => {
      const [, isOn, StartTime = '', end = ''] =
        /^([01]) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)-((?:[01]\d|2[0-4]):[0-5]\d:[0-5]\d)$/u.exec(text ?? '') ?? [];
      const EndTime = end.startsWith('24') ? '23:59:59' : end;
      return isOn === '1' && StartTime < EndTime ? [{ StartTime, EndTime }] : [];
    }),
  }));
}

export function writePlan(plan: WeekTimes, prefix: string): Record<string, string> {
  const sections = plan
    .filter(({ day }) => day <= 7)
    .flatMap(({ day, entryList }) =>
      Array.from({ length: SEGMENTS }, (_, at): [string, string] => {
        const entry = entryList[at];
        const text = entry === undefined ? '0 00:00:00-23:59:59' : `1 ${entry.StartTime}-${entry.EndTime}`;
        return [`${prefix}.TimeSection[${day % 7}][${at}]`, text];
      }),
    );
  return Object.fromEntries(sections);
}

/** People told apart within motion; three steps of sensitivity. */
const smartMotionPart: AddedPart<'humanShape'> = {
  read: async (http, channelNo, signal) => {
    const table = await tableOf(http, 'SmartMotionDetect', signal);
    const prefix = `SmartMotionDetect[${channelNo - 1}]`;
    const isOn = table.get(`${prefix}.Enable`);
    if (isOn === undefined) throw new DeviceFault('not-supported', 'no smart motion');
    const step = SENSITIVITIES.indexOf(table.get(`${prefix}.Sensitivity`) ?? '');
    return {
      value: {
        on: isOn === 'true' && table.get(`${prefix}.ObjectTypes.Human`) !== 'false',
        ...(step < 0 ? {} : { sensitivity: step * 50 }),
      },
      capabilities: { on: {}, ...(step < 0 ? {} : { sensitivity: { min: 0, max: 100, step: 50 } }) },
    };
  },
  write: async (http, channelNo, { change: { on, sensitivity } }, signal) => {
    const prefix = `SmartMotionDetect[${channelNo - 1}]`;
    const word = sensitivity === undefined ? undefined : SENSITIVITIES[Math.round(sensitivity / 50)];
    const values = {
      // Vehicles may be told as well: the whole is not turned off for people alone.
      ...(on === true ? { [`${prefix}.Enable`]: 'true' } : {}),
      ...(on === undefined ? {} : { [`${prefix}.ObjectTypes.Human`]: String(on) }),
      ...(word === undefined ? {} : { [`${prefix}.Sensitivity`]: word }),
    };
    await setAll(http, values, signal);
  },
};

const mirrorPart: AddedPart<'image'> = {
  read: async (http, channelNo, signal) => {
    const table = await tableOf(http, 'VideoInOptions', signal);
    const mirror = table.get(`VideoInOptions[${channelNo - 1}].Mirror`);
    const flip = table.get(`VideoInOptions[${channelNo - 1}].Flip`);
    if (mirror === undefined || flip === undefined) throw new DeviceFault('not-supported', 'the camera flips nothing');
    return {
      value: { mirror: mirror === 'true', rotation: flip === 'true' ? '180' : '0' },
      capabilities: { mirror: {}, rotation: { options: ['0', '180'] } },
    };
  },
  write: async (http, channelNo, { change: { mirror, rotation } }, signal) => {
    const prefix = `VideoInOptions[${channelNo - 1}]`;
    const values = {
      ...(mirror === undefined ? {} : { [`${prefix}.Mirror`]: String(mirror) }),
      ...(rotation === undefined ? {} : { [`${prefix}.Flip`]: String(rotation === '180') }),
    };
    await setAll(http, values, signal);
  },
};

const storagePart: AddedPart<'storage'> = {
  isFirst: true,
  read: async (http, _channelNo, signal) => {
    const table = readKeyValues(await http.get('/cgi-bin/storageDevice.cgi?action=getDeviceAllInfo', signal));
    const disks = disksOf(table);
    const recordStatus = { min: RECORD_STATUS.unknown, max: RECORD_STATUS.abnormal };
    return {
      value: { recordStatus: worstStatus(disks.map((disk) => disk.recordStatus)), disks },
      capabilities: {
        recordStatus,
        disks: {
          most: disks.length,
          isFixed: true,
          item: {
            name: { most: 64 },
            kind: { options: [] },
            totalBytes: {},
            usedBytes: {},
            recordStatus,
            canFormat: {},
          },
        },
      },
    };
  },
};

/** Of the first group: what is recorded goes there, unless somebody sorted disks by channel. */
const OVERWRITE = 'StorageGroup[0].OverWrite';

const overwritePart: AddedPart<'storage'> = {
  read: async (http, _channelNo, signal) => {
    const isOn = (await tableOf(http, 'StorageGroup', signal)).get(OVERWRITE);
    if (isOn === undefined) throw new DeviceFault('not-supported', 'the device does not say what a full disk does');
    return { value: { overwrite: isOn === 'true' }, capabilities: { overwrite: {} } };
  },
  write: async (http, _channelNo, { change: { overwrite } }, signal) => {
    if (overwrite !== undefined) await setAll(http, { [OVERWRITE]: String(overwrite) }, signal);
  },
};

export function disksOf(table: Table): Disk[] {
  return Array.from({ length: MOST_DISKS }, (_, at) => `list.info[${at}]`)
    .map((long, at) => (table.has(`${long}.Name`) ? long : `list[${at}]`))
    .filter((prefix) => table.has(`${prefix}.Name`))
    .map((prefix) => {
      const of = (key: string) => table.get(`${prefix}.Detail[0].${key}`);
      const total = Number(of('TotalBytes') ?? 0);
      const used = of('UsedBytes') ?? String(total - Number(of('TotalFreeBytes') ?? total));
      const isWhole = table.get(`${prefix}.State`) === 'Success' && of('IsError') !== 'true';
      const name = table.get(`${prefix}.Name`) ?? '';
      return {
        id: of('Path') ?? name,
        name,
        kind: /mmc|sd\d?$|\/mnt\/sd/iu.test(`${name} ${of('Path') ?? ''}`) ? 'card' : 'disk',
        totalBytes: Math.max(0, Math.round(total)),
        usedBytes: Math.max(0, Math.round(Number(used))),
        recordStatus: isWhole ? RECORD_STATUS.normal : RECORD_STATUS.abnormal,
        // The interface formats cards alone.
        canFormat: /mmc|sd/iu.test(`${name} ${of('Path') ?? ''}`),
      };
    });
}

export const dahuaCgi: VendorExtension = {
  id: 'dahua-cgi',
  makers: /dahua|amcrest|lorex|imou|cp\s?plus/iu,
  detect: async (http, signal) => {
    const { status, body } = await http.look('/cgi-bin/magicBox.cgi?action=getDeviceType', signal);
    return status === 200 && body.toString('latin1').includes('type=');
  },
  parts: {
    image: [mirrorPart],
    motion: [eventPart('MotionDetect')],
    humanShape: [smartMotionPart, humanRegionsPart],
    tracking: [trackPart],
    storage: [storagePart, overwritePart],
  },
  // "FormatPatition" is how the interface spells it; it answers when it is done.
  formatDisk: async (http, id, onPercent, signal) => {
    onPercent(0);
    const query = `action=setDevice&type=FormatPatition&path=${encodeURIComponent(id)}`;
    const said = (await http.order(`/cgi-bin/storageDevice.cgi?${query}`, signal)).toString('utf8').trim();
    if (said !== 'OK') throw new DeviceFault('device', 'the card was not formatted', { fault: said.slice(0, 40) });
    onPercent(100);
  },
};
