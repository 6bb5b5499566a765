// Section `mask`: privacy masks of media 2 (ONVIF Media2 5.14).
import type { Point } from '@vedette/contract/config/fields.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  createMask,
  deleteMask,
  getMaskOptions,
  getMasks,
  type maskConfiguration,
  setMask,
} from '@vedette/protocols/onvif/mask-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { fromShares, toShares } from './geometry.ts';
import { sourceConfiguration } from './osd.ts';
import type { SectionSource } from './section-source.ts';

export type OnvifMask = TypeOf<typeof maskConfiguration>;
type Options = TypeOf<typeof getMaskOptions.response>['Options'];
type Mask = NonNullable<SectionValue<'mask'>['masks']>[number];

const looks = { color: 'Color', pixelated: 'Pixelated', blurred: 'Blurred' } as const;
const RECTANGLE_CORNERS = 4;

export function maskSection(source: SectionSource): ConfigSection<'mask'> {
  const { session } = source;
  const read = async (signal?: AbortSignal) => {
    const ConfigurationToken = await sourceConfiguration(source, signal);
    const [{ Masks }, { Options: options }] = await Promise.all([
      session.call(getMasks, { ConfigurationToken }, signal),
      session.call(getMaskOptions, { ConfigurationToken }, signal),
    ]);
    const own = Masks.filter((mask) => mask.ConfigurationToken === ConfigurationToken);
    if (options.MaxMasks < 1) throw new DeviceFault('not-supported', 'the device masks nothing');
    return { own, options, ConfigurationToken };
  };
  return {
    read: async (signal) => {
      const { own, options } = await read(signal);
      return { value: { masks: own.map(maskOf) }, capabilities: capabilitiesOf(options) };
    },
    write: async (next, _before, signal) => {
      const { own, ConfigurationToken } = await read(signal);
      const kept = new Set(next.masks?.map(({ id }) => id));
      for (const { token: Token } of own) {
        if (Token !== undefined && !kept.has(Token)) await session.call(deleteMask, { Token }, signal);
      }
      for (const mask of next.masks ?? []) {
        const known = own.find(({ token }) => token === mask.id);
        if (known === undefined) {
          await session.call(createMask, { Mask: onvifMaskOf(mask, ConfigurationToken) }, signal);
        } else if (JSON.stringify(maskOf(known)) !== JSON.stringify({ ...maskOf(known), ...mask })) {
          await session.call(setMask, { Mask: onvifMaskOf(mask, ConfigurationToken, known) }, signal);
        }
      }
    },
  };
}

function capabilitiesOf({
  MaxMasks,
  MaxPoints,
  RectangleOnly,
  Types,
}: Options): SectionReading<'mask'>['capabilities'] {
  const isRectangle = RectangleOnly === true;
  const most = isRectangle ? RECTANGLE_CORNERS : Math.max(RECTANGLE_CORNERS, MaxPoints);
  const options = Types.flatMap((type) => lookOf(type) ?? []);
  return {
    masks: {
      most: MaxMasks,
      isFixed: false,
      item: { on: {}, area: { most, isRectangle }, look: { options } },
    },
  };
}

function lookOf(type: string): string | undefined {
  return Object.entries(looks).find(([, theirs]) => theirs === type)?.[0];
}

export function maskOf({ token = '', Polygon, Type, Enabled }: OnvifMask): Mask {
  const area: Point[] = Polygon.Point.map(({ x = 0, y = 0 }) => toShares({ x, y }));
  return { id: token, on: Enabled, area, look: lookOf(Type) ?? 'color' };
}

export function onvifMaskOf(mask: Mask, ConfigurationToken: string, before?: OnvifMask): OnvifMask {
  const look = mask.look ?? (before === undefined ? 'color' : maskOf(before).look);
  return {
    token: mask.id,
    ConfigurationToken,
    Polygon: mask.area === undefined ? (before?.Polygon ?? { Point: [] }) : { Point: mask.area.map(fromShares) },
    Type: looks[look as keyof typeof looks] ?? looks.color,
    Color: before?.Color,
    Enabled: mask.on ?? before?.Enabled ?? true,
  };
}
