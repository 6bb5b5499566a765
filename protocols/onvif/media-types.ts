// Types of the ONVIF schema that media 1 and media 2 share (ONVIF Media 5, Media2 5).
import {
  attribute,
  boolean,
  decimal,
  integer,
  one,
  optional,
  optionalAttribute,
  struct,
  text,
  token,
} from './schema.ts';

export const multicast = struct('tt', {
  Address: optional(
    struct('tt', { Type: optional(token), IPv4Address: optional(token), IPv6Address: optional(token) }),
  ),
  Port: optional(integer),
  TTL: optional(integer),
  AutoStart: optional(boolean),
});

/** Without either: of all. */
export const configurationQuestion = { ConfigurationToken: optional(token), ProfileToken: optional(token) };

export const resolution = struct('tt', { Width: one(integer), Height: one(integer) });

/** `BitrateLimit` in kbit/s. */
export const rateControl = struct('tt', {
  FrameRateLimit: optional(decimal),
  EncodingInterval: optional(integer),
  BitrateLimit: optional(integer),
});

export const videoSourceConfiguration = struct('tt', {
  token: attribute(token),
  ViewMode: optionalAttribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  SourceToken: optional(token),
  Bounds: optional(
    struct('tt', {
      x: optionalAttribute(integer),
      y: optionalAttribute(integer),
      width: optionalAttribute(integer),
      height: optionalAttribute(integer),
    }),
  ),
  Extension: optional(
    struct('tt', {
      /** `OFF`, `ON`, `AUTO`; degrees clockwise. */
      Rotate: optional(struct('tt', { Mode: one(token), Degree: optional(integer) })),
    }),
  ),
});

export const audioSourceConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  SourceToken: optional(token),
});

/** Bit rates in kbit/s, in both media services. */
export const videoEncoderConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  Encoding: optional(token),
  Resolution: optional(resolution),
  Quality: optional(decimal),
  RateControl: optional(rateControl),
  H264: optional(struct('tt', { GovLength: optional(integer), H264Profile: optional(token) })),
});

export const videoEncoder2Configuration = struct('tt', {
  token: attribute(token),
  GovLength: optionalAttribute(integer),
  Profile: optionalAttribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  Encoding: optional(token),
  Resolution: optional(resolution),
  RateControl: optional(
    struct('tt', {
      ConstantBitRate: optionalAttribute(boolean),
      FrameRateLimit: optional(decimal),
      BitrateLimit: optional(integer),
    }),
  ),
  Quality: optional(decimal),
});

/** `Bitrate` and `SampleRate` in kbit/s and kHz. */
export const audioEncoderConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  Encoding: optional(token),
  Bitrate: optional(integer),
  SampleRate: optional(integer),
});

/** Of the analytics behind a profile, what names it. */
export const videoAnalyticsConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
});

export const audioOutputConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  OutputToken: optional(token),
  SendPrimacy: optional(token),
  OutputLevel: optional(integer),
});

export const audioDecoderConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
});

/** Says that the profile's camera has a head, and which. */
export const ptzConfiguration = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  NodeToken: optional(token),
});

export const streamSetup = struct('tt', {
  Stream: one(token),
  Transport: one(struct('tt', { Protocol: one(token) })),
});
