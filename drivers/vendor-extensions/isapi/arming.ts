// When an event of a Hikvision camera counts and what follows it: /Event/schedules and /Event/triggers.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import { TIME_PLAN_SEGMENTS_PER_DAY } from '@vedette/contract/limits.ts';
import { element, type XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { AddedPart } from '../vendor-extension.ts';
import { IsapiDocument } from './isapi-document.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** `dayOfWeek` 1 is Monday; 24:00 is midnight. */
export function schedulePart<S extends 'motion' | 'humanShape'>(urlOf: (channelNo: number) => string): AddedPart<S> {
  return {
    read: async (http, channelNo, signal) => {
      const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
      if (document.at('TimeBlockList') === undefined) throw new DeviceFault('not-supported', 'no schedule');
      return {
        value: { plan: planOf(document) },
        capabilities: { plan: { most: TIME_PLAN_SEGMENTS_PER_DAY, hasHoliday: false } },
      } as never;
    },
    write: async (http, channelNo, { change }, signal) => {
      const url = urlOf(channelNo);
      const document = new IsapiDocument(await http.get(url, signal));
      const list = document.at('TimeBlockList');
      const { plan } = change as { plan?: WeekTimes };
      if (list === undefined || plan === undefined) return;
      await http.put(url, document.edited(new Map([[list, blocksOf(plan)]])), signal);
    },
  };
}

export function planOf(document: IsapiDocument): WeekTimes {
  const blocks = document.all('TimeBlockList/TimeBlock');
  return DAYS.map((day) => ({
    day,
    entryList: blocks
      .filter((block) => document.number('dayOfWeek', block) === day)
      .flatMap((block) => {
        const StartTime = timeOf(document.text('TimeRange/beginTime', block));
        const EndTime = timeOf(document.text('TimeRange/endTime', block));
        return StartTime === null || EndTime === null || StartTime >= EndTime ? [] : [{ StartTime, EndTime }];
      })
      .slice(0, TIME_PLAN_SEGMENTS_PER_DAY),
  }));
}

export function blocksOf(plan: WeekTimes): XmlNode[] {
  return plan.flatMap(({ day, entryList }) =>
    entryList.map(({ StartTime, EndTime }) =>
      element(
        'TimeBlock',
        {},
        element('dayOfWeek', {}, String(day)),
        element('TimeRange', {}, element('beginTime', {}, theirs(StartTime)), element('endTime', {}, theirs(EndTime))),
      ),
    ),
  );
}

/** Null for what is no time of a day; their midnight is our last second. */
function timeOf(text: string | undefined): string | null {
  const [, hours = '', minutes = '', seconds = '00'] = /^(\d\d):(\d\d)(?::(\d\d))?$/u.exec(text ?? '') ?? [];
  if (hours === '24') return '23:59:59';
  return Number(hours) < 24 && Number(minutes) < 60 && hours !== '' ? `${hours}:${minutes}:${seconds}` : null;
}

function theirs(time: string): string {
  return time === '23:59:59' ? '24:00:00' : time;
}

/** Their words for what follows an event. */
const methods = {
  alarm: 'center',
  record: 'record',
  email: 'email',
  upload: 'FTP',
  output: 'IO',
  beep: 'beep',
} as const;

type Method = keyof typeof methods;

export function triggerPart<S extends 'motion' | 'humanShape'>(urlOf: (channelNo: number) => string): AddedPart<S> {
  return {
    read: async (http, channelNo, signal) => {
      const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
      const list = document.at('EventTriggerNotificationList');
      if (list === undefined) throw new DeviceFault('not-supported', 'no linkage');
      const held = methodsOf(document);
      const linkage = (Object.keys(methods) as Method[]).filter((word) => held.includes(methods[word]));
      return { value: { linkage }, capabilities: { linkage: { options: Object.keys(methods) } } } as never;
    },
    write: async (http, channelNo, { change }, signal) => {
      const url = urlOf(channelNo);
      const document = new IsapiDocument(await http.get(url, signal));
      const list = document.at('EventTriggerNotificationList');
      const { linkage } = change as { linkage?: readonly string[] };
      if (list === undefined || linkage === undefined) return;
      const known = new Set<string>(Object.values(methods));
      const wanted = (Object.keys(methods) as Method[])
        .filter((word) => linkage.includes(word))
        .map((word) => methods[word]);
      // What we have no word for stays.
      const kept = methodsOf(document).filter((method) => !known.has(method));
      const all = [...kept, ...wanted].map(notification);
      await http.put(url, document.edited(new Map([[list, all]])), signal);
    },
  };
}

export function methodsOf(document: IsapiDocument): string[] {
  return document
    .all('EventTriggerNotificationList/EventTriggerNotification')
    .flatMap((one) => document.text('notificationMethod', one) ?? []);
}

export function notification(method: string): XmlNode {
  return element(
    'EventTriggerNotification',
    {},
    element('id', {}, method === 'IO' ? 'IO-1' : method),
    element('notificationMethod', {}, method),
    element('notificationRecurrence', {}, 'beginning'),
    method === 'IO' ? element('outputIOPortID', {}, '1') : undefined,
  );
}
