// Operations that set video encoders, in media 1 and media 2 (ONVIF Media 5.5, Media2 5.5).
import {
  configurationQuestion,
  multicast,
  rateControl,
  resolution,
  videoEncoder2Configuration,
} from './media-types.ts';
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

const integerRange = struct('tt', { Min: one(integer), Max: one(integer) });
const decimalRange = struct('tt', { Min: one(decimal), Max: one(decimal) });

/** Whole, since devices take what is missing as a wish for none. */
const videoEncoder = struct('tt', {
  token: attribute(token),
  GuaranteedFrameRate: optionalAttribute(boolean),
  Name: optional(text),
  UseCount: optional(integer),
  Encoding: optional(token),
  Resolution: optional(resolution),
  Quality: optional(decimal),
  RateControl: optional(rateControl),
  MPEG4: optional(struct('tt', { GovLength: optional(integer), Mpeg4Profile: optional(token) })),
  H264: optional(struct('tt', { GovLength: optional(integer), H264Profile: optional(token) })),
  Multicast: optional(multicast),
  SessionTimeout: optional(token),
});

const encodingOptions = struct('tt', {
  ResolutionsAvailable: many(resolution),
  GovLengthRange: optional(integerRange),
  FrameRateRange: optional(integerRange),
  EncodingIntervalRange: optional(integerRange),
  BitrateRange: optional(integerRange),
});

export const getVideoEncoder = operation({
  service: 'media',
  name: 'GetVideoEncoderConfiguration',
  kind: 'read',
  request: { ConfigurationToken: one(token) },
  response: { Configuration: one(videoEncoder) },
});

/** `Extension` repeats the encodings with the bit rates, which the first form had no place for. */
export const getVideoEncoderOptions = operation({
  service: 'media',
  name: 'GetVideoEncoderConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: {
    Options: one(
      struct('tt', {
        QualityRange: optional(integerRange),
        JPEG: optional(encodingOptions),
        H264: optional(encodingOptions),
        Extension: optional(struct('tt', { JPEG: optional(encodingOptions), H264: optional(encodingOptions) })),
      }),
    ),
  },
});

export const setVideoEncoder = operation({
  service: 'media',
  name: 'SetVideoEncoderConfiguration',
  kind: 'write',
  request: { Configuration: one(videoEncoder), ForcePersistence: one(boolean) },
  response: {},
});

export const getVideoEncoders2 = operation({
  service: 'media2',
  name: 'GetVideoEncoderConfigurations',
  kind: 'read',
  request: configurationQuestion,
  response: { Configurations: many(videoEncoder2Configuration) },
});

/** One entry for each encoding; lists are words with spaces between. */
export const getVideoEncoderOptions2 = operation({
  service: 'media2',
  name: 'GetVideoEncoderConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: {
    Options: many(
      struct('tt', {
        GovLengthRange: optionalAttribute(token),
        FrameRatesSupported: optionalAttribute(token),
        Encoding: one(token),
        QualityRange: optional(decimalRange),
        ResolutionsAvailable: many(resolution),
        BitrateRange: optional(integerRange),
      }),
    ),
  },
});

export const setVideoEncoder2 = operation({
  service: 'media2',
  name: 'SetVideoEncoderConfiguration',
  kind: 'write',
  request: { Configuration: one(videoEncoder2Configuration) },
  response: {},
});
