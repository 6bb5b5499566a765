// Imaging service of a virtual device: what is set here is seen in its pictures (ONVIF Imaging 5).

import {
  getImagingOptions,
  getImagingSettings,
  setImagingSettings,
} from '@vedette/protocols/onvif/imaging-settings-operations.ts';
import type { ChannelSettings, Imaging } from '../device/channel-settings.ts';
import { type CameraPtz, IRIS_MOST_DB } from '../ptz/camera-ptz.ts';
import { sourceToken } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const range = { Min: 0, Max: 100 };
const filters = ['ON', 'OFF', 'AUTO'];

export function imagingHandlers(device: OnvifDevice): OperationHandler[] {
  const of = (token: string): ChannelSettings => {
    const index = device.plan.channels.findIndex((_, at) => sourceToken(at + 1) === token);
    if (index < 0) throw invalidArgument('ter:NoSource', 'The requested video source does not exist');
    return device.settingsOf(index + 1);
  };
  const headOf = (token: string): CameraPtz | null => {
    const index = device.plan.channels.findIndex((_, at) => sourceToken(at + 1) === token);
    return index < 0 ? null : device.ptzOf(index + 1);
  };
  return [
    answer(getImagingSettings, ({ VideoSourceToken }) => {
      const { imaging } = of(VideoSourceToken);
      return { ImagingSettings: settingsStruct(imaging, headOf(VideoSourceToken)) };
    }),
    answer(getImagingOptions, ({ VideoSourceToken }) => {
      of(VideoSourceToken);
      const iris = { Mode: ['MANUAL'], Iris: { Min: 0, Max: IRIS_MOST_DB } };
      return {
        ImagingOptions: {
          Brightness: range,
          ColorSaturation: range,
          Contrast: range,
          Exposure: headOf(VideoSourceToken) === null ? undefined : iris,
          IrCutFilterModes: filters,
          Sharpness: range,
          WideDynamicRange: { Mode: ['ON', 'OFF'], Level: range },
        },
      };
    }),
    answer(setImagingSettings, ({ VideoSourceToken, ImagingSettings: wish }) => {
      const { WideDynamicRange: wide, Exposure } = wish;
      const head = headOf(VideoSourceToken);
      if (head !== null && Exposure?.Iris !== undefined)
        head.irisDb = Math.max(0, Math.min(IRIS_MOST_DB, Exposure.Iris));
      const part = {
        brightness: level(wish.Brightness),
        saturation: level(wish.ColorSaturation),
        contrast: level(wish.Contrast),
        sharpness: level(wish.Sharpness),
        infraredFilter: wish.IrCutFilter,
        isWide: wide?.Mode === undefined ? undefined : wide.Mode === 'ON',
        wideLevel: level(wide?.Level),
      };
      if (part.infraredFilter !== undefined && !filters.includes(part.infraredFilter)) throw refused();
      const given = Object.entries(part).filter(([, value]) => value !== undefined);
      of(VideoSourceToken).setImaging(Object.fromEntries(given) as Partial<Imaging>);
      return {};
    }),
  ];
}

function settingsStruct(imaging: Imaging, head: CameraPtz | null) {
  return {
    Brightness: imaging.brightness,
    ColorSaturation: imaging.saturation,
    Contrast: imaging.contrast,
    Exposure: head === null ? undefined : { Mode: 'MANUAL', Iris: head.irisDb },
    IrCutFilter: imaging.infraredFilter,
    Sharpness: imaging.sharpness,
    WideDynamicRange: { Mode: imaging.isWide ? 'ON' : 'OFF', Level: imaging.wideLevel },
  };
}

function level(wish: number | undefined): number | undefined {
  if (wish !== undefined && !(wish >= range.Min && wish <= range.Max)) throw refused();
  return wish;
}

function refused() {
  return invalidArgument('ter:SettingsInvalid', 'The requested settings are incorrect');
}
