// Operations of the imaging service that move the lens: focus and iris (ONVIF Imaging 5).
import { operation } from './operation.ts';
import { decimal, one, optional, struct, token } from './schema.ts';

const floatRange = struct('tt', { Min: one(decimal), Max: one(decimal) });
const source = { VideoSourceToken: one(token) };

export const getMoveOptions = operation({
  service: 'imaging',
  name: 'GetMoveOptions',
  kind: 'read',
  request: source,
  response: {
    MoveOptions: one(struct('tt', { Continuous: optional(struct('tt', { Speed: optional(floatRange) })) })),
  },
});

/** Focus alone can be moved continuously; it stops by Stop or at the end of its way. Positive is towards far. */
export const moveFocus = operation({
  service: 'imaging',
  name: 'Move',
  kind: 'write',
  request: {
    ...source,
    Focus: one(struct('tt', { Continuous: optional(struct('tt', { Speed: one(decimal) })) })),
  },
  response: {},
});

export const stopFocus = operation({
  service: 'imaging',
  name: 'Stop',
  kind: 'write',
  request: source,
  response: {},
});

/** Iris is an attenuation in dB: 0 is fully open. */
export const getIrisOptions = operation({
  service: 'imaging',
  name: 'GetOptions',
  kind: 'read',
  request: source,
  response: {
    ImagingOptions: one(struct('tt', { Exposure: optional(struct('tt', { Iris: optional(floatRange) })) })),
  },
});

const irisSettings = struct('tt', {
  Exposure: optional(struct('tt', { Mode: optional(token), Iris: optional(decimal) })),
});

export const getIris = operation({
  service: 'imaging',
  name: 'GetImagingSettings',
  kind: 'cursor',
  request: source,
  response: { ImagingSettings: one(irisSettings) },
});

/** What is absent stays as it is. */
export const setIris = operation({
  service: 'imaging',
  name: 'SetImagingSettings',
  kind: 'write',
  request: { ...source, ImagingSettings: one(irisSettings) },
  response: {},
});
