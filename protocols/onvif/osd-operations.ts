// Operations of text laid over the picture; media 1 and media 2 name them alike (ONVIF Media 5.17, Media2 5.13).
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

const colour = struct('tt', {
  X: attribute(decimal),
  Y: attribute(decimal),
  Z: attribute(decimal),
  Colorspace: optionalAttribute(token),
});
const paint = struct('tt', { Transparent: optionalAttribute(integer), Color: optional(colour) });

export const osdConfiguration = struct('tt', {
  token: optionalAttribute(token),
  VideoSourceConfigurationToken: one(token),
  /** Text or Image. */
  Type: one(token),
  Position: one(
    struct('tt', {
      /** UpperLeft, UpperRight, LowerLeft, LowerRight, Custom. */
      Type: one(token),
      /** -1 to 1, y upwards. */
      Pos: optional(struct('tt', { x: optionalAttribute(decimal), y: optionalAttribute(decimal) })),
    }),
  ),
  TextString: optional(
    struct('tt', {
      IsPersistentText: optionalAttribute(boolean),
      /** Plain, Date, Time, DateAndTime. */
      Type: one(token),
      DateFormat: optional(text),
      TimeFormat: optional(text),
      FontSize: optional(integer),
      FontColor: optional(paint),
      BackgroundColor: optional(paint),
      PlainText: optional(text),
    }),
  ),
});

const osdOptions = struct('tt', {
  MaximumNumberOfOSDs: optional(
    struct('tt', {
      Total: optionalAttribute(integer),
      PlainText: optionalAttribute(integer),
      Image: optionalAttribute(integer),
    }),
  ),
  Type: many(token),
  PositionOption: many(token),
  TextOption: optional(
    struct('tt', {
      Type: many(token),
      FontSizeRange: optional(struct('tt', { Min: one(integer), Max: one(integer) })),
      DateFormat: many(text),
      TimeFormat: many(text),
    }),
  ),
});

function operationsOf(service: 'media' | 'media2') {
  return {
    list: operation({
      service,
      name: 'GetOSDs',
      kind: 'read',
      request: { OSDToken: optional(token), ConfigurationToken: optional(token) },
      response: { OSDs: many(osdConfiguration) },
    }),
    options: operation({
      service,
      name: 'GetOSDOptions',
      kind: 'read',
      request: { ConfigurationToken: one(token) },
      response: { OSDOptions: one(osdOptions) },
    }),
    set: operation({
      service,
      name: 'SetOSD',
      kind: 'write',
      request: { OSD: one(osdConfiguration) },
      response: {},
    }),
    create: operation({
      service,
      name: 'CreateOSD',
      kind: 'write',
      request: { OSD: one(osdConfiguration) },
      response: { OSDToken: one(token) },
    }),
    remove: operation({
      service,
      name: 'DeleteOSD',
      kind: 'write',
      request: { OSDToken: one(token) },
      response: {},
    }),
  } as const;
}

export const osdOperations = { media: operationsOf('media'), media2: operationsOf('media2') } as const;
