// Rules of a Dahua device's analytics: regions in which it looks for people, and whether its head follows what they find.
import type { Point } from '@vedette/contract/config/fields.ts';
import type { SectionValue } from '@vedette/contract/config/sections.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { VendorHttp } from '../vendor-http.ts';
import type { AddedPart } from '../vendor-extension.ts';
import { setAll, type Table, tableOf } from './cgi-tables.ts';

type Rule = NonNullable<SectionValue<'humanShape'>['rules']>[number];

const TABLE = 'VideoAnalyseRule';
const MOST_RULES = 10;
const MOST_CORNERS = 20;
const FEWEST_CORNERS = 3;
/** Their grid begins at the top left. */
const GRID = 8191;
/** 0 follows for as long as there is something to follow. */
const TRACK_SECONDS = { min: 0, max: 300 };
const FOLLOWED = { human: 'Human', vehicle: 'Vehicle' } as const;

/** Keys before which those of each rule of the channel stand. */
function rulesOf(table: Table, channelNo: number): string[] {
  return Array.from({ length: MOST_RULES }, (_, at) => `${TABLE}[${channelNo - 1}][${at}]`).filter((rule) =>
    table.has(`${rule}.Type`),
  );
}

async function regionsOf(http: VendorHttp, channelNo: number, signal?: AbortSignal) {
  const table = await tableOf(http, TABLE, signal);
  const rules = rulesOf(table, channelNo).filter(
    (rule) => table.get(`${rule}.Type`) === 'CrossRegionDetection' && typesOf(table, rule).includes(FOLLOWED.human),
  );
  if (rules.length === 0) throw new DeviceFault('not-supported', 'no region in which people are looked for');
  return { table, rules };
}

function typesOf(table: Table, rule: string): string[] {
  return Array.from({ length: 8 }, (_, at) => table.get(`${rule}.ObjectTypes[${at}]`) ?? '').filter(Boolean);
}

/** Regions that the device has can be drawn anew; new ones are made at the device. */
export const humanRegionsPart: AddedPart<'humanShape'> = {
  read: async (http, channelNo, signal) => {
    const { table, rules } = await regionsOf(http, channelNo, signal);
    return {
      value: { rules: rules.map((rule) => readRegion(table, rule)) },
      capabilities: {
        rules: {
          most: rules.length,
          isFixed: true,
          item: { name: { most: 32 }, region: { most: MOST_CORNERS } },
        },
      },
    };
  },
  write: async (http, channelNo, { change: { rules: wishes = [] } }, signal) => {
    const { table, rules } = await regionsOf(http, channelNo, signal);
    const values = rules.flatMap((rule) => {
      const wish = wishes.find(({ id }) => id === rule);
      return wish === undefined ? [] : Object.entries(writeRegion(table, rule, wish));
    });
    await setAll(http, Object.fromEntries(values), signal);
  },
};

function readRegion(table: Table, rule: string): Rule {
  return { id: rule, name: table.get(`${rule}.Name`) ?? '', region: cornersOf(table, rule) };
}

function cornersOf(table: Table, rule: string): Point[] {
  return Array.from({ length: MOST_CORNERS }, (_, at) => `${rule}.Config.DetectRegion[${at}]`)
    .filter((corner) => table.has(`${corner}[0]`))
    .map((corner) => ({ x: share(table.get(`${corner}[0]`)), y: share(table.get(`${corner}[1]`)) }))
    .filter(({ x, y }, at, all) => at === 0 || x !== all[at - 1]?.x || y !== all[at - 1]?.y);
}

function share(text: string | undefined): number {
  const value = Number(text ?? 0) / GRID;
  return Number.isFinite(value) ? Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000)) : 0;
}

/** Corners cannot be taken away: those too many lie on the last one, where they change nothing. */
function writeRegion(table: Table, rule: string, { name, region }: Rule): Record<string, string> {
  const last = region?.at(-1);
  const held = Array.from({ length: MOST_CORNERS }, (_, at) => at).filter((at) =>
    table.has(`${rule}.Config.DetectRegion[${at}][0]`),
  ).length;
  const drawn =
    region === undefined || last === undefined || region.length < FEWEST_CORNERS
      ? []
      : [...region, ...Array.from({ length: Math.max(0, held - region.length) }, () => last)];
  return {
    ...(name === undefined ? {} : { [`${rule}.Name`]: name }),
    ...Object.fromEntries(
      drawn.flatMap(({ x, y }, at) => [
        [`${rule}.Config.DetectRegion[${at}][0]`, String(Math.round(x * GRID))],
        [`${rule}.Config.DetectRegion[${at}][1]`, String(Math.round(y * GRID))],
      ]),
    ),
  };
}

/** Rules that the head can follow have a word for it. */
export const trackPart: AddedPart<'tracking'> = {
  read: async (http, channelNo, signal) => {
    const { table, rules } = await followedOf(http, channelNo, signal);
    const [first = ''] = rules;
    const target = targetOf(table, first);
    const held = Number(table.get(`${first}.TrackDuration`));
    const hasHold = table.has(`${first}.TrackDuration`) && Number.isFinite(held);
    return {
      value: {
        on: rules.some((rule) => isTrue(table, `${rule}.Enable`) && isTrue(table, `${rule}.TrackEnable`)),
        ...(target === null ? {} : { target }),
        ...(hasHold ? { hold: Math.min(TRACK_SECONDS.max, Math.max(TRACK_SECONDS.min, held)) } : {}),
      },
      capabilities: {
        on: {},
        ...(target === null ? {} : { target: { options: Object.keys(FOLLOWED) } }),
        ...(hasHold ? { hold: TRACK_SECONDS } : {}),
      },
    };
  },
  write: async (http, channelNo, { change: { on, target, hold } }, signal) => {
    const { table, rules } = await followedOf(http, channelNo, signal);
    const enabled = rules.filter((rule) => isTrue(table, `${rule}.Enable`));
    // What finds nothing is not followed: where no rule is at work, the first is.
    const [first] = rules;
    const wanted = enabled.length > 0 || first === undefined ? enabled : [first];
    const word = FOLLOWED[target as keyof typeof FOLLOWED];
    const values = rules.flatMap((rule): [string, string][] => [
      ...(on === undefined ? [] : [[`${rule}.TrackEnable`, String(on && wanted.includes(rule))] as [string, string]]),
      ...(on === true && wanted.includes(rule) ? [[`${rule}.Enable`, 'true'] as [string, string]] : []),
      ...(word === undefined || targetOf(table, rule) === null
        ? []
        : [[`${rule}.ObjectTypes[0]`, word] as [string, string]]),
      ...(hold === undefined ? [] : [[`${rule}.TrackDuration`, String(Math.round(hold))] as [string, string]]),
    ]);
    await setAll(http, Object.fromEntries(values), signal);
  },
};

async function followedOf(http: VendorHttp, channelNo: number, signal?: AbortSignal) {
  const table = await tableOf(http, TABLE, signal);
  const rules = rulesOf(table, channelNo).filter((rule) => table.has(`${rule}.TrackEnable`));
  if (rules.length === 0) throw new DeviceFault('not-supported', 'no rule that a head follows');
  return { table, rules };
}

/** Null where it looks for several kinds, or tells none. */
function targetOf(table: Table, rule: string): string | null {
  const types = typesOf(table, rule);
  const found = Object.entries(FOLLOWED).find(([, theirs]) => theirs === types[0]);
  return types.length === 1 && found !== undefined ? found[0] : null;
}

function isTrue(table: Table, key: string): boolean {
  return table.get(key) === 'true';
}
