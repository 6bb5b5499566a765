// Operations of both media services on sound: encoders, and how loud the loudspeaker is (ONVIF Media 5.6, 5.9, Media2 5.5, 5.8).
import { audioOutputConfiguration, configurationQuestion, multicast } from './media-types.ts';
import { operation } from './operation.ts';
import { attribute, boolean, decimal, integer, many, one, optional, struct, text, token } from './schema.ts';

/** Whole, since devices take what is missing as a wish for none. Bit rates in kbit/s, sample rates in kHz. */
const audioEncoder = struct('tt', {
  token: attribute(token),
  Name: optional(text),
  UseCount: optional(integer),
  Encoding: optional(token),
  Bitrate: optional(integer),
  SampleRate: optional(integer),
  Multicast: optional(multicast),
  SessionTimeout: optional(token),
});

const range = struct('tt', { Min: one(decimal), Max: one(decimal) });
const numbers = struct('tt', { Items: many(integer) });

/** Bit rates in kbit/s, sample rates in kHz: what goes with one encoding. */
const encoderOptions = struct('tt', {
  Encoding: optional(token),
  BitrateList: optional(numbers),
  SampleRateList: optional(numbers),
});

export const getAudioEncoder = operation({
  service: 'media',
  name: 'GetAudioEncoderConfiguration',
  kind: 'read',
  request: { ConfigurationToken: one(token) },
  response: { Configuration: one(audioEncoder) },
});

export const getAudioEncoderOptions = operation({
  service: 'media',
  name: 'GetAudioEncoderConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: { Options: one(struct('tt', { Options: many(encoderOptions) })) },
});

export const setAudioEncoder = operation({
  service: 'media',
  name: 'SetAudioEncoderConfiguration',
  kind: 'write',
  request: { Configuration: one(audioEncoder), ForcePersistence: one(boolean) },
  response: {},
});

export const getAudioEncoders2 = operation({
  service: 'media2',
  name: 'GetAudioEncoderConfigurations',
  kind: 'read',
  request: configurationQuestion,
  response: { Configurations: many(audioEncoder) },
});

export const getAudioEncoderOptions2 = operation({
  service: 'media2',
  name: 'GetAudioEncoderConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: { Options: many(encoderOptions) },
});

export const setAudioEncoder2 = operation({
  service: 'media2',
  name: 'SetAudioEncoderConfiguration',
  kind: 'write',
  request: { Configuration: one(audioEncoder) },
  response: {},
});

const outputOptions = struct('tt', { OutputTokensAvailable: many(token), OutputLevelRange: optional(range) });

export const getAudioOutputs = operation({
  service: 'media',
  name: 'GetAudioOutputConfigurations',
  kind: 'read',
  request: {},
  response: { Configurations: many(audioOutputConfiguration) },
});

export const getAudioOutputOptions = operation({
  service: 'media',
  name: 'GetAudioOutputConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: { Options: one(outputOptions) },
});

export const setAudioOutput = operation({
  service: 'media',
  name: 'SetAudioOutputConfiguration',
  kind: 'write',
  request: { Configuration: one(audioOutputConfiguration), ForcePersistence: one(boolean) },
  response: {},
});

export const getAudioOutputOptions2 = operation({
  service: 'media2',
  name: 'GetAudioOutputConfigurationOptions',
  kind: 'read',
  request: configurationQuestion,
  response: { Options: one(outputOptions) },
});

export const setAudioOutput2 = operation({
  service: 'media2',
  name: 'SetAudioOutputConfiguration',
  kind: 'write',
  request: { Configuration: one(audioOutputConfiguration) },
  response: {},
});
