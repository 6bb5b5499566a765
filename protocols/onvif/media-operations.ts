// Operations of the media 1 service (ONVIF Media 5).
import {
  audioDecoderConfiguration,
  audioEncoderConfiguration,
  audioOutputConfiguration,
  audioSourceConfiguration,
  ptzConfiguration,
  resolution,
  streamSetup,
  videoAnalyticsConfiguration,
  videoEncoderConfiguration,
  videoSourceConfiguration,
} from './media-types.ts';
import { operation } from './operation.ts';
import { attribute, boolean, decimal, many, one, optional, optionalAttribute, struct, text, token } from './schema.ts';

const profile = struct('tt', {
  token: attribute(token),
  fixed: optionalAttribute(boolean),
  Name: optional(text),
  VideoSourceConfiguration: optional(videoSourceConfiguration),
  AudioSourceConfiguration: optional(audioSourceConfiguration),
  VideoEncoderConfiguration: optional(videoEncoderConfiguration),
  AudioEncoderConfiguration: optional(audioEncoderConfiguration),
  VideoAnalyticsConfiguration: optional(videoAnalyticsConfiguration),
  PTZConfiguration: optional(ptzConfiguration),
  /** The way back: what a loudspeaker takes. */
  Extension: optional(
    struct('tt', {
      AudioOutputConfiguration: optional(audioOutputConfiguration),
      AudioDecoderConfiguration: optional(audioDecoderConfiguration),
    }),
  ),
});

const mediaUri = struct('tt', {
  Uri: one(token),
  InvalidAfterConnect: optional(boolean),
  InvalidAfterReboot: optional(boolean),
  Timeout: optional(token),
});

export const getProfiles = operation({
  service: 'media',
  name: 'GetProfiles',
  kind: 'read',
  request: {},
  response: { Profiles: many(profile) },
});

export const getVideoSources = operation({
  service: 'media',
  name: 'GetVideoSources',
  kind: 'read',
  request: {},
  response: {
    VideoSources: many(
      struct('tt', { token: attribute(token), Framerate: optional(decimal), Resolution: optional(resolution) }),
    ),
  },
});

export const getVideoSourceConfigurations = operation({
  service: 'media',
  name: 'GetVideoSourceConfigurations',
  kind: 'read',
  request: {},
  response: { Configurations: many(videoSourceConfiguration) },
});

/** Loudspeakers and lines out. */
export const getAudioOutputs = operation({
  service: 'media',
  name: 'GetAudioOutputs',
  kind: 'read',
  request: {},
  response: { AudioOutputs: many(struct('tt', { token: attribute(token) })) },
});

export const getStreamUri = operation({
  service: 'media',
  name: 'GetStreamUri',
  kind: 'read',
  request: { StreamSetup: one(streamSetup), ProfileToken: one(token) },
  response: { MediaUri: one(mediaUri) },
});

export const getSnapshotUri = operation({
  service: 'media',
  name: 'GetSnapshotUri',
  kind: 'read',
  request: { ProfileToken: one(token) },
  response: { MediaUri: one(mediaUri) },
});

/** Asks for a keyframe; changes nothing that lasts, so it needs no place in the queue of writes. */
export const setSynchronizationPoint = operation({
  service: 'media',
  name: 'SetSynchronizationPoint',
  kind: 'read',
  request: { ProfileToken: one(token) },
  response: {},
});
