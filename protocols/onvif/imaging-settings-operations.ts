// Operations of the imaging service that set the picture (ONVIF Imaging 5).
import { operation } from './operation.ts';
import { boolean, decimal, many, one, optional, struct, token } from './schema.ts';

export const floatRange = struct('tt', { Min: one(decimal), Max: one(decimal) });
const modeAndLevel = struct('tt', { Mode: optional(token), Level: optional(decimal) });
const modesAndLevel = struct('tt', { Mode: many(token), Level: optional(floatRange) });

/** Exposure times in microseconds, gains in dB. */
const exposure = struct('tt', {
  Mode: optional(token),
  Priority: optional(token),
  MinExposureTime: optional(decimal),
  MaxExposureTime: optional(decimal),
  MinGain: optional(decimal),
  MaxGain: optional(decimal),
  ExposureTime: optional(decimal),
  Gain: optional(decimal),
  /** Attenuation in dB. */
  Iris: optional(decimal),
});

const imagingSettings = struct('tt', {
  BacklightCompensation: optional(modeAndLevel),
  Brightness: optional(decimal),
  ColorSaturation: optional(decimal),
  Contrast: optional(decimal),
  Exposure: optional(exposure),
  /** ON lets no infrared through: day. */
  IrCutFilter: optional(token),
  Sharpness: optional(decimal),
  WideDynamicRange: optional(modeAndLevel),
});

const imagingOptions = struct('tt', {
  BacklightCompensation: optional(modesAndLevel),
  Brightness: optional(floatRange),
  ColorSaturation: optional(floatRange),
  Contrast: optional(floatRange),
  Exposure: optional(
    struct('tt', {
      Mode: many(token),
      ExposureTime: optional(floatRange),
      Gain: optional(floatRange),
      Iris: optional(floatRange),
    }),
  ),
  IrCutFilterModes: many(token),
  Sharpness: optional(floatRange),
  WideDynamicRange: optional(modesAndLevel),
});

export const getImagingSettings = operation({
  service: 'imaging',
  name: 'GetImagingSettings',
  kind: 'read',
  request: { VideoSourceToken: one(token) },
  response: { ImagingSettings: one(imagingSettings) },
});

/** What is absent stays as it is. */
export const setImagingSettings = operation({
  service: 'imaging',
  name: 'SetImagingSettings',
  kind: 'write',
  request: {
    VideoSourceToken: one(token),
    ImagingSettings: one(imagingSettings),
    ForcePersistence: optional(boolean),
  },
  response: {},
});

export const getImagingOptions = operation({
  service: 'imaging',
  name: 'GetOptions',
  kind: 'read',
  request: { VideoSourceToken: one(token) },
  response: { ImagingOptions: one(imagingOptions) },
});
