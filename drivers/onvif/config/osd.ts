// Section `osd`: text overlays; image overlays are left alone (ONVIF Media 5.17).
import type { Point } from '@vedette/contract/config/fields.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import { getVideoSourceConfigurations } from '@vedette/protocols/onvif/media-operations.ts';
import { getVideoSourceConfigurations2 } from '@vedette/protocols/onvif/media2-operations.ts';
import { type osdConfiguration, osdOperations } from '@vedette/protocols/onvif/osd-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { fromShares, toShares } from './geometry.ts';
import { limitsOf } from './image.ts';
import { pick, type SectionSource } from './section-source.ts';

export type Osd = TypeOf<typeof osdConfiguration>;
type Options = TypeOf<typeof osdOperations.media.options.response>['OSDOptions'];
type Text = NonNullable<SectionValue<'osd'>['texts']>[number];

const corners: Readonly<Record<string, Point>> = {
  UpperLeft: { x: 0.02, y: 0.03 },
  UpperRight: { x: 0.7, y: 0.03 },
  LowerLeft: { x: 0.02, y: 0.92 },
  LowerRight: { x: 0.7, y: 0.92 },
};
const types = { plain: 'Plain', date: 'Date', time: 'Time', dateAndTime: 'DateAndTime' } as const;
/** Devices state no limit; all accept this many. */
const LONGEST_TEXT = 60;
const USUAL_MOST = 4;

export function osdSection(source: SectionSource): ConfigSection<'osd'> {
  const { session } = source;
  const operations = osdOperations[source.plan.streams[0]?.profile.service ?? 'media'];
  const read = async (signal?: AbortSignal) => {
    const ConfigurationToken = await sourceConfiguration(source, signal);
    const [{ OSDs }, { OSDOptions }] = await Promise.all([
      session.call(operations.list, { ConfigurationToken }, signal),
      session.call(operations.options, { ConfigurationToken }, signal),
    ]);
    const own = OSDs.filter(
      (osd) => osd.Type === 'Text' && osd.VideoSourceConfigurationToken === ConfigurationToken && osd.TextString,
    );
    return { own, OSDOptions, ConfigurationToken };
  };
  return {
    read: async (signal) => {
      const { own, OSDOptions } = await read(signal);
      return { value: { texts: own.map(textOf) }, capabilities: capabilitiesOf(OSDOptions) };
    },
    write: async (next, before, signal) => {
      const { own, OSDOptions, ConfigurationToken } = await read(signal);
      const kept = new Set(next.texts?.map(({ id }) => id));
      for (const { token: OSDToken } of own) {
        if (OSDToken !== undefined && !kept.has(OSDToken)) await session.call(operations.remove, { OSDToken }, signal);
      }
      for (const text of next.texts ?? []) {
        const known = own.find(({ token }) => token === text.id);
        if (known === undefined) {
          const OSD = osdOf(text, emptyOsd(ConfigurationToken), OSDOptions);
          await session.call(operations.create, { OSD }, signal);
        } else if (JSON.stringify(textOf(known)) !== JSON.stringify({ ...textOf(known), ...text })) {
          await session.call(operations.set, { OSD: osdOf(text, known, OSDOptions) }, signal);
        }
      }
    },
  };
}

/** Texts belong to the video source configuration, not to a stream. */
export async function sourceConfiguration({ session, plan }: SectionSource, signal?: AbortSignal): Promise<string> {
  const isNew = plan.streams[0]?.profile.service === 'media2';
  const { Configurations } = isNew
    ? await session.call(getVideoSourceConfigurations2, {}, signal)
    : await session.call(getVideoSourceConfigurations, {}, signal);
  const found = Configurations.find(({ SourceToken, token }) => (SourceToken ?? token) === plan.sourceToken);
  if (found === undefined) throw new DeviceFault('not-supported', 'the channel has no configuration of its source');
  return found.token;
}

function capabilitiesOf(options: Options): SectionReading<'osd'>['capabilities'] {
  const { MaximumNumberOfOSDs: most, TextOption: text, PositionOption: positions } = options;
  const offered = text?.Type.flatMap((type) => wordOf(type) ?? []) ?? [];
  const places = positions.flatMap((name) => corners[name] ?? []);
  const isFree = positions.length === 0 || positions.includes('Custom');
  return {
    texts: {
      most: most?.Total ?? most?.PlainText ?? USUAL_MOST,
      isFixed: false,
      item: pick({
        type: { options: offered },
        text: { most: LONGEST_TEXT },
        position: isFree ? {} : { places },
        size: text?.FontSizeRange === undefined ? undefined : limitsOf(text.FontSizeRange),
      }),
    },
  };
}

function wordOf(type: string): string | undefined {
  return Object.entries(types).find(([, theirs]) => theirs === type)?.[0];
}

export function textOf({ token = '', Position, TextString }: Osd): Text {
  const type = wordOf(TextString?.Type ?? 'Plain') ?? 'plain';
  return pick<Text>({
    id: token,
    type,
    text: TextString?.PlainText ?? '',
    position: positionOf(Position),
    size: TextString?.FontSize,
  });
}

/** A custom position, or a corner that the device names. */
function positionOf({ Type, Pos }: Osd['Position']): Point | undefined {
  if (Type === 'Custom' && Pos !== undefined) return toShares({ x: Pos.x ?? 0, y: Pos.y ?? 0 });
  return corners[Type] ?? corners['UpperLeft'];
}

/** Fields unknown to the console (colours, formats) stay unchanged. */
export function osdOf(text: Text, before: Osd, options: Options): Osd {
  const place = text.position ?? corners['UpperLeft'] ?? { x: 0, y: 0 };
  const isFree = options.PositionOption.length === 0 || options.PositionOption.includes('Custom');
  return {
    ...before,
    Position: isFree ? { Type: 'Custom', Pos: fromShares(place) } : { Type: nearest(place, options.PositionOption) },
    TextString: textStringOf(text, before.TextString, options.TextOption),
  };
}

function textStringOf(
  text: Text,
  before: Osd['TextString'],
  offered: Options['TextOption'],
): NonNullable<Osd['TextString']> {
  const type = theirTypeOf(text);
  return pick({
    ...before,
    Type: type,
    DateFormat: /Date/u.test(type) ? heldOrFirst(before?.DateFormat, offered?.DateFormat) : undefined,
    TimeFormat: /Time/u.test(type) ? heldOrFirst(before?.TimeFormat, offered?.TimeFormat) : undefined,
    FontSize: text.size ?? before?.FontSize,
    PlainText: type === 'Plain' ? (text.text ?? '') : undefined,
  });
}

function theirTypeOf({ type = 'plain' }: Text) {
  return types[type as keyof typeof types];
}

function heldOrFirst(held: string | undefined, offered: readonly string[] | undefined): string | undefined {
  return held ?? offered?.[0];
}

function emptyOsd(VideoSourceConfigurationToken: string): Osd {
  return { token: '', VideoSourceConfigurationToken, Type: 'Text', Position: { Type: 'Custom' } };
}

function nearest({ x, y }: Point, offered: readonly string[]): string {
  const distance = (name: string) => {
    const corner = corners[name] ?? { x: 9, y: 9 };
    return Math.hypot(corner.x - x, corner.y - y);
  };
  return [...offered].sort((a, b) => distance(a) - distance(b))[0] ?? 'UpperLeft';
}
