// Operations of the PTZ service (ONVIF PTZ 5).
import { operation } from './operation.ts';
import {
  attribute,
  boolean,
  decimal,
  integer,
  many,
  one,
  optional,
  optionalAttribute,
  struct,
  text,
  token,
} from './schema.ts';

/** x is pan, y tilt: right and up are positive. `space` absent is the default space, generic −1 to 1. */
const vector2 = struct('tt', { x: attribute(decimal), y: attribute(decimal), space: optionalAttribute(token) });
const vector1 = struct('tt', { x: attribute(decimal), space: optionalAttribute(token) });
/** What is absent is not touched. */
const ptzVector = struct('tt', { PanTilt: optional(vector2), Zoom: optional(vector1) });
const floatRange = struct('tt', { Min: one(decimal), Max: one(decimal) });
const space1 = struct('tt', { URI: one(token), XRange: one(floatRange) });
const space2 = struct('tt', { URI: one(token), XRange: one(floatRange), YRange: optional(floatRange) });

const spaces = struct('tt', {
  ContinuousPanTiltVelocitySpace: many(space2),
  ContinuousZoomVelocitySpace: many(space1),
});

const ptzNode = struct('tt', {
  token: attribute(token),
  FixedHomePosition: optionalAttribute(boolean),
  Name: optional(text),
  SupportedPTZSpaces: optional(spaces),
  MaximumNumberOfPresets: optional(integer),
  HomeSupported: optional(boolean),
  AuxiliaryCommands: many(token),
  Extension: optional(
    struct('tt', {
      SupportedPresetTour: optional(struct('tt', { MaximumNumberOfPresetTours: optional(integer) })),
    }),
  ),
});

const status = struct('tt', {
  Position: optional(ptzVector),
  MoveStatus: optional(struct('tt', { PanTilt: optional(token), Zoom: optional(token) })),
  Error: optional(text),
  UtcTime: optional(token),
});

const preset = struct('tt', {
  token: optionalAttribute(token),
  Name: optional(text),
  PTZPosition: optional(ptzVector),
});
const profile = { ProfileToken: one(token) };

export const getNodes = operation({
  service: 'ptz',
  name: 'GetNodes',
  kind: 'read',
  request: {},
  response: { PTZNode: many(ptzNode) },
});

/** Timeouts are xs:duration. */
export const getPtzConfigurationOptions = operation({
  service: 'ptz',
  name: 'GetConfigurationOptions',
  kind: 'read',
  request: { ConfigurationToken: one(token) },
  response: {
    PTZConfigurationOptions: one(
      struct('tt', {
        Spaces: optional(spaces),
        PTZTimeout: optional(struct('tt', { Min: optional(token), Max: optional(token) })),
      }),
    ),
  },
});

/** Moves until Stop or for `Timeout`; what is renewed goes on without a jerk. */
export const continuousMove = operation({
  service: 'ptz',
  name: 'ContinuousMove',
  kind: 'write',
  request: { ...profile, Velocity: one(ptzVector), Timeout: optional(token) },
  response: {},
});

export const stopMove = operation({
  service: 'ptz',
  name: 'Stop',
  kind: 'write',
  request: { ...profile, PanTilt: optional(boolean), Zoom: optional(boolean) },
  response: {},
});

/** Each call looks anew, so equal calls are not shared. */
export const getStatus = operation({
  service: 'ptz',
  name: 'GetStatus',
  kind: 'cursor',
  request: profile,
  response: { PTZStatus: one(status) },
});

export const getPresets = operation({
  service: 'ptz',
  name: 'GetPresets',
  kind: 'read',
  request: profile,
  response: { Preset: many(preset) },
});

/** With a token it moves the stored position. */
export const setPreset = operation({
  service: 'ptz',
  name: 'SetPreset',
  kind: 'write',
  request: { ...profile, PresetName: optional(text), PresetToken: optional(token) },
  response: { PresetToken: one(token) },
});

export const removePreset = operation({
  service: 'ptz',
  name: 'RemovePreset',
  kind: 'write',
  request: { ...profile, PresetToken: one(token) },
  response: {},
});

export const gotoPreset = operation({
  service: 'ptz',
  name: 'GotoPreset',
  kind: 'write',
  request: { ...profile, PresetToken: one(token) },
  response: {},
});

export const sendAuxiliaryCommand = operation({
  service: 'ptz',
  name: 'SendAuxiliaryCommand',
  kind: 'write',
  request: { ...profile, AuxiliaryData: one(token) },
  response: { AuxiliaryResponse: optional(token) },
});

/** A tour that the device runs by itself over its presets. */
export const getPresetTours = operation({
  service: 'ptz',
  name: 'GetPresetTours',
  kind: 'read',
  request: profile,
  response: {
    PresetTour: many(
      struct('tt', {
        token: optionalAttribute(token),
        Name: optional(text),
        Status: optional(struct('tt', { State: optional(token) })),
        TourSpot: many(
          struct('tt', {
            PresetDetail: optional(struct('tt', { PresetToken: optional(token) })),
            StayTime: optional(token),
          }),
        ),
      }),
    ),
  },
});

/** `Operation` is Start, Stop, Pause or Extended. */
export const operatePresetTour = operation({
  service: 'ptz',
  name: 'OperatePresetTour',
  kind: 'write',
  request: { ...profile, PresetTourToken: one(token), Operation: one(token) },
  response: {},
});
