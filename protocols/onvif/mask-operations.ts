// Operations of privacy masks, which media 2 alone has (ONVIF Media2 5.14).
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
  token,
} from './schema.ts';

const colour = struct('tt', {
  X: attribute(decimal),
  Y: attribute(decimal),
  Z: attribute(decimal),
  Colorspace: optionalAttribute(token),
});

export const maskConfiguration = struct('tr2', {
  token: optionalAttribute(token),
  ConfigurationToken: one(token),
  /** Corners from -1 to 1, y upwards. */
  Polygon: one(
    struct('tt', { Point: many(struct('tt', { x: optionalAttribute(decimal), y: optionalAttribute(decimal) })) }),
  ),
  /** Color, Pixelated, Blurred. */
  Type: one(token),
  Color: optional(colour),
  Enabled: one(boolean),
});

export const getMasks = operation({
  service: 'media2',
  name: 'GetMasks',
  kind: 'read',
  request: { Token: optional(token), ConfigurationToken: optional(token) },
  response: { Masks: many(maskConfiguration) },
});

export const getMaskOptions = operation({
  service: 'media2',
  name: 'GetMaskOptions',
  kind: 'read',
  request: { ConfigurationToken: one(token) },
  response: {
    Options: one(
      struct('tr2', {
        RectangleOnly: optionalAttribute(boolean),
        SingleColorOnly: optionalAttribute(boolean),
        MaxMasks: one(integer),
        MaxPoints: one(integer),
        Types: many(token),
      }),
    ),
  },
});

export const setMask = operation({
  service: 'media2',
  name: 'SetMask',
  kind: 'write',
  request: { Mask: one(maskConfiguration) },
  response: {},
});

export const createMask = operation({
  service: 'media2',
  name: 'CreateMask',
  kind: 'write',
  request: { Mask: one(maskConfiguration) },
  response: { Token: one(token) },
});

export const deleteMask = operation({
  service: 'media2',
  name: 'DeleteMask',
  kind: 'write',
  request: { Token: one(token) },
  response: {},
});
