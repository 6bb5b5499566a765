// Section `image` by the imaging service: the device's own numbers within the limits it tells (ONVIF Imaging 5.1).
import type { RangeLimits } from '@vedette/contract/config/fields.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  getImagingOptions,
  getImagingSettings,
  setImagingSettings,
} from '@vedette/protocols/onvif/imaging-settings-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { changedOnly, pick, type SectionSource } from './section-source.ts';

type Settings = TypeOf<typeof getImagingSettings.response>['ImagingSettings'];
type Options = TypeOf<typeof getImagingOptions.response>['ImagingOptions'];
type Value = SectionValue<'image'>;

/** Numbers with equal names on both sides. */
const levels = [
  ['brightness', 'Brightness'],
  ['contrast', 'Contrast'],
  ['saturation', 'ColorSaturation'],
  ['sharpness', 'Sharpness'],
] as const;

/** By day the infrared filter is in. */
const filters = { auto: 'AUTO', day: 'ON', night: 'OFF' } as const;

export function imageSection({ session, plan }: SectionSource): ConfigSection<'image'> {
  const VideoSourceToken = plan.sourceToken;
  return {
    read: async (signal) => {
      const [settings, options] = await Promise.all([
        session.call(getImagingSettings, { VideoSourceToken }, signal),
        session.call(getImagingOptions, { VideoSourceToken }, signal),
      ]);
      return readingOf(settings.ImagingSettings, options.ImagingOptions);
    },
    write: async (next, before, signal) => {
      const change = changedOnly(next, before.value);
      if (Object.keys(change).length === 0) return;
      const ImagingSettings = settingsOf(change, { ...before.value, ...next });
      await session.call(setImagingSettings, { VideoSourceToken, ImagingSettings, ForcePersistence: true }, signal);
    },
  };
}

/** A field exists if the device gives its value and its limits. */
export function readingOf(settings: Settings, options: Options): SectionReading<'image'> {
  const value = valueOf(settings);
  const capabilities = capabilitiesOf(options);
  const shown = Object.keys(value).filter((name) => name in capabilities);
  return { value: only(value, shown), capabilities: only(capabilities, shown) };
}

function valueOf(settings: Settings): Value {
  const { WideDynamicRange: wdr, Exposure: exposure } = settings;
  return pick<Value>({
    ...Object.fromEntries(levels.map(([ours, theirs]) => [ours, settings[theirs]])),
    dayNight: wordOf(settings.IrCutFilter),
    wdr: wdr?.Mode === undefined ? undefined : wdr.Mode === 'ON',
    wdrLevel: wdr?.Level,
    exposure: exposure?.Mode?.toLowerCase(),
    exposureTime: exposure?.ExposureTime,
    gain: exposure?.Gain,
  });
}

function capabilitiesOf(options: Options): SectionReading<'image'>['capabilities'] {
  const modes = options.Exposure?.Mode.map((mode) => mode.toLowerCase()) ?? [];
  return pick<SectionReading<'image'>['capabilities']>({
    ...Object.fromEntries(levels.map(([ours, theirs]) => [ours, limitsOf(options[theirs])])),
    dayNight: optionsOf(options.IrCutFilterModes.flatMap((mode) => wordOf(mode) ?? [])),
    wdr: (options.WideDynamicRange?.Mode.length ?? 0) > 1 ? {} : undefined,
    wdrLevel: limitsOf(options.WideDynamicRange?.Level),
    exposure: optionsOf(modes),
    exposureTime: modes.includes('manual') ? limitsOf(options.Exposure?.ExposureTime) : undefined,
    gain: modes.includes('manual') ? limitsOf(options.Exposure?.Gain) : undefined,
  });
}

/** Only changes; modes are sent with their numbers, which mean nothing alone. */
export function settingsOf(change: Value, whole: Value): Settings {
  const touches = (...names: readonly (keyof Value)[]) => names.some((name) => change[name] !== undefined);
  return pick<Settings>({
    ...Object.fromEntries(levels.map(([ours, theirs]) => [theirs, change[ours]])),
    Exposure: touches('exposure', 'exposureTime', 'gain')
      ? pick({
          Mode: whole.exposure?.toUpperCase(),
          ExposureTime: whole.exposure === 'manual' ? whole.exposureTime : undefined,
          Gain: whole.exposure === 'manual' ? whole.gain : undefined,
        })
      : undefined,
    IrCutFilter: change.dayNight === undefined ? undefined : filters[change.dayNight as keyof typeof filters],
    WideDynamicRange: touches('wdr', 'wdrLevel')
      ? pick({ Mode: whole.wdr === true ? 'ON' : 'OFF', Level: whole.wdrLevel })
      : undefined,
  });
}

function wordOf(filter: string | undefined): string | undefined {
  return Object.entries(filters).find(([, theirs]) => theirs === filter)?.[0];
}

export function limitsOf(range: { readonly Min: number; readonly Max: number } | undefined): RangeLimits | undefined {
  return range === undefined || range.Max <= range.Min ? undefined : { min: range.Min, max: range.Max };
}

/** A single option is no choice. */
export function optionsOf(words: readonly string[]): { options: string[] } | undefined {
  return words.length < 2 ? undefined : { options: [...new Set(words)] };
}

function only<T extends object>(of: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name))) as T;
}
