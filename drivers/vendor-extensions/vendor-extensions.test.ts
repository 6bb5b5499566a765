// The makers' own formats: what is written is read back, what is not known stays, and what is broken is a fault and no crash.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeviceFault } from '../kit/device-fault.ts';
import { disksOf, readPlan, writePlan } from './dahua-cgi/cgi-extension.ts';
import { readKeyValues, setQueries } from './dahua-cgi/key-values.ts';
import { blocksOf, planOf } from './isapi/arming.ts';
import { IsapiDocument } from './isapi/isapi-document.ts';

const two = (value: number) => String(value).padStart(2, '0');
const entry = fc.tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => ({
  StartTime: `${two(hour)}:${two(minute)}:00`,
  EndTime: `${two(hour + 1)}:${two(minute)}:00`,
}));
const week: fc.Arbitrary<WeekTimes> = fc
  .array(fc.array(entry, { maxLength: 6 }), { minLength: 7, maxLength: 7 })
  .map((days) => days.map((entryList, at) => ({ day: at + 1, entryList })));

const SCHEDULE =
  '<Schedule xmlns="http://www.hikvision.com/ver20/XMLSchema" version="2.0"><id>VMD_video1</id><own a="1">x &amp; y</own><TimeBlockList size="8"><TimeBlock><dayOfWeek>7</dayOfWeek><TimeRange><beginTime>06:30</beginTime><endTime>24:00</endTime></TimeRange></TimeBlock></TimeBlockList></Schedule>';

describe('[DC-01] weekly plans', () => {
  test('of ISAPI survive a round trip, and unknown elements stay in the document', () => {
    fc.assert(
      fc.property(week, (plan) => {
        const document = new IsapiDocument(Buffer.from(SCHEDULE));
        const list = document.at('TimeBlockList');
        if (list === undefined) throw new Error('no list');
        const written = new IsapiDocument(Buffer.from(document.edited(new Map([[list, blocksOf(plan)]]))));
        expect(planOf(written)).toEqual(plan);
        expect(written.text('own')).toBe('x & y');
        expect(written.root.namespace).toBe('http://www.hikvision.com/ver20/XMLSchema');
      }),
      { numRuns: 60 },
    );
  });

  test('of ISAPI may end at 24:00, which is midnight', () => {
    const sunday = planOf(new IsapiDocument(Buffer.from(SCHEDULE))).at(-1);
    expect(sunday).toEqual({ day: 7, entryList: [{ StartTime: '06:30:00', EndTime: '23:59:59' }] });
  });

  test('of CGI survive a round trip, Sunday first', () => {
    fc.assert(
      fc.property(week, (plan) => {
        const values = writePlan(plan, 'MotionDetect[0].EventHandler');
        expect(readPlan(new Map(Object.entries(values)), 'MotionDetect[0].EventHandler')).toEqual(plan);
      }),
      { numRuns: 60 },
    );
    const sunday = writePlan([{ day: 7, entryList: [{ StartTime: '08:00:00', EndTime: '09:00:00' }] }], 'M');
    expect(sunday['M.TimeSection[0][0]']).toBe('1 08:00:00-09:00:00');
  });
});

describe('[SE-78] what a device sends', () => {
  test.each([
    ['no XML at all', 'Not Found'],
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['half of it', '<a><b>'],
    ['too deep', '<a>'.repeat(5000)],
  ])('%s is a fault of the device', (_, body) => {
    expect(() => new IsapiDocument(Buffer.from(body))).toThrow(DeviceFault);
  });

  test('any lines are parsed safely, and too many are refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (body) => {
        const table = readKeyValues(Buffer.from(body));
        disksOf(table);
        readPlan(table, 'MotionDetect[0].EventHandler');
      }),
    );
    expect(readKeyValues(Buffer.from('table.__proto__=1\r\ntable.A[0].B=x=y\r\n')).get('A[0].B')).toBe('x=y');
    expect(() => readKeyValues(Buffer.from('a=b\n'.repeat(30_000)))).toThrow(DeviceFault);
  });

  test('[DC-06] disks in both forms of the answer, with what is used or what is free', () => {
    const live = readKeyValues(
      Buffer.from(
        'list.info[0].Detail[0].IsError=false\nlist.info[0].Detail[0].Path=/mnt/sd\nlist.info[0].Detail[0].TotalBytes=1000.0\nlist.info[0].Detail[0].UsedBytes=400.0\nlist.info[0].Name=/dev/mmc0\nlist.info[0].State=Success',
      ),
    );
    const written = { kind: 'card', totalBytes: 1000, usedBytes: 400, recordStatus: 0, canFormat: true };
    expect(disksOf(live)).toEqual([{ id: '/mnt/sd', name: '/dev/mmc0', ...written }]);
    const spec =
      'list[0].Name=/dev/sda\nlist[0].State=Error\nlist[0].Detail[0].TotalBytes=9\nlist[0].Detail[0].TotalFreeBytes=4';
    expect(disksOf(readKeyValues(Buffer.from(spec)))).toMatchObject([{ usedBytes: 5, recordStatus: 3 }]);
  });

  test('settings are sent in URLs of bounded length, with every value escaped', () => {
    const values = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`T[0].K[${at}]`, 'a&b=c d']));
    const queries = setQueries(values);
    expect(queries.length).toBeGreaterThan(3);
    for (const query of queries) expect(query.length).toBeLessThan(1700);
    const all = queries.flatMap((query) => [...new URL(query, 'http://device').searchParams]);
    expect(Object.fromEntries(all.filter(([key]) => key !== 'action'))).toEqual(values);
  });
});
