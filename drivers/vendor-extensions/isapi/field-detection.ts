// People in regions of a Hikvision camera: Smart/FieldDetection with `human` among its targets.
import type { Point } from '@vedette/contract/config/fields.ts';
import type { SectionValue } from '@vedette/contract/config/sections.ts';
import type { XmlElement } from '@vedette/protocols/xml/xml.ts';
import { element } from '@vedette/protocols/xml/xml-writer.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { AddedPart } from '../vendor-extension.ts';
import { type Edit, IsapiDocument } from './isapi-document.ts';

type Rule = NonNullable<SectionValue<'humanShape'>['rules']>[number];

const REGIONS = 'FieldDetectionRegionList/FieldDetectionRegion';
const CORNERS = 'RegionCoordinatesList/RegionCoordinates';
/** Usual size of their grid, from the bottom left. */
const GRID = 1000;
const MOST_CORNERS = 10;
const FEWEST_CORNERS = 3;

const urlOf = (channelNo: number) => `/ISAPI/Smart/FieldDetection/${channelNo}`;

export const fieldDetectionPart: AddedPart<'humanShape'> = {
  read: async (http, channelNo, signal) => {
    const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
    const regions = document.all(REGIONS);
    const on = document.flag('enabled');
    // Without a target the camera tells no people from leaves.
    if (on === undefined || !regions.some((region) => document.at('detectionTarget', region) !== undefined))
      throw new DeviceFault('not-supported', 'the camera tells no people');
    return {
      value: { on, rules: regions.flatMap((region) => ruleOf(document, region) ?? []) },
      capabilities: {
        on: {},
        rules: {
          most: regions.length,
          isFixed: false,
          item: { confidence: { min: 1, max: 100 }, region: { most: MOST_CORNERS } },
        },
      },
    };
  },
  write: async (http, channelNo, { change: { on, rules } }, signal) => {
    const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
    const edits = new Map<XmlElement, Edit>();
    const put = (at: XmlElement | undefined, edit: Edit): void => {
      if (at !== undefined) edits.set(at, edit);
    };
    if (on !== undefined) put(document.at('enabled'), String(on));
    if (rules !== undefined) {
      const free = document
        .all(REGIONS)
        .filter((region) => !rules.some(({ id }) => id === document.text('id', region)));
      for (const region of document.all(REGIONS)) {
        const id = document.text('id', region);
        const rule =
          rules.find((one) => one.id === id) ?? (free.includes(region) ? nextNew(rules, free, region) : undefined);
        put(document.at('RegionCoordinatesList', region), (rule?.region ?? []).map(cornerOf));
        put(document.at('enabled', region), String(rule !== undefined));
        if (rule === undefined) continue;
        if (rule.confidence !== undefined)
          put(document.at('sensitivityLevel', region), String(Math.round(rule.confidence)));
        put(document.at('detectionTarget', region), withPeople(document.text('detectionTarget', region)));
      }
    }
    await http.put(urlOf(channelNo), document.edited(edits), signal);
  },
};

/** Null for a region that is not drawn or looks for something else. */
function ruleOf(document: IsapiDocument, region: XmlElement): Rule | null {
  const corners = document.all(CORNERS, region).map((corner): Point => {
    const x = document.number('positionX', corner) ?? 0;
    const y = document.number('positionY', corner) ?? 0;
    return { x: share(x / GRID), y: share(1 - y / GRID) };
  });
  const target = document.text('detectionTarget', region) ?? '';
  const isPeople = target === '' || target.includes('human');
  if (corners.length < FEWEST_CORNERS || !isPeople || document.flag('enabled', region) === false) return null;
  return {
    id: document.text('id', region) ?? '',
    confidence: document.number('sensitivityLevel', region) ?? 50,
    region: corners.slice(0, MOST_CORNERS),
  };
}

/** New rules take the places that are free, in order. */
function nextNew(rules: readonly Rule[], free: readonly XmlElement[], region: XmlElement): Rule | undefined {
  return rules.filter(({ id }) => id === '')[free.indexOf(region)];
}

function withPeople(target: string | undefined): string {
  const words = (target ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  return words.includes('human') ? words.join(',') : [...words, 'human'].join(',');
}

function cornerOf({ x, y }: Point) {
  return element(
    'RegionCoordinates',
    {},
    element('positionX', {}, String(Math.round(x * GRID))),
    element('positionY', {}, String(Math.round((1 - y) * GRID))),
  );
}

function share(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000));
}
