// Operations of the media 2 service (ONVIF Media2 5).
import {
  audioDecoderConfiguration,
  audioEncoderConfiguration,
  audioOutputConfiguration,
  audioSourceConfiguration,
  videoAnalyticsConfiguration,
  ptzConfiguration,
  videoEncoder2Configuration,
  videoSourceConfiguration,
} from './media-types.ts';
import { operation } from './operation.ts';
import { attribute, boolean, integer, many, one, optional, optionalAttribute, struct, text, token } from './schema.ts';

const mediaProfile = struct('tr2', {
  token: attribute(token),
  fixed: optionalAttribute(boolean),
  Name: optional(text),
  Configurations: optional(
    struct('tr2', {
      VideoSource: optional(videoSourceConfiguration),
      AudioSource: optional(audioSourceConfiguration),
      VideoEncoder: optional(videoEncoder2Configuration),
      AudioEncoder: optional(audioEncoderConfiguration),
      Analytics: optional(videoAnalyticsConfiguration),
      PTZ: optional(ptzConfiguration),
      AudioOutput: optional(audioOutputConfiguration),
      AudioDecoder: optional(audioDecoderConfiguration),
    }),
  ),
});

/** `Type` names the configurations wanted in the answer; without it many devices send none. */
export const getProfiles2 = operation({
  service: 'media2',
  name: 'GetProfiles',
  kind: 'read',
  request: { Token: optional(token), Type: many(token) },
  response: { Profiles: many(mediaProfile) },
});

export const getVideoSourceConfigurations2 = operation({
  service: 'media2',
  name: 'GetVideoSourceConfigurations',
  kind: 'read',
  request: { ConfigurationToken: optional(token), ProfileToken: optional(token) },
  response: { Configurations: many(videoSourceConfiguration) },
});

export const getVideoSourceConfigurationOptions2 = operation({
  service: 'media2',
  name: 'GetVideoSourceConfigurationOptions',
  kind: 'read',
  request: { ConfigurationToken: optional(token), ProfileToken: optional(token) },
  response: {
    Options: one(
      struct('tt', {
        Extension: optional(
          struct('tt', {
            Rotate: optional(
              struct('tt', { Mode: many(token), DegreeList: optional(struct('tt', { Items: many(integer) })) }),
            ),
          }),
        ),
      }),
    ),
  },
});

export const setVideoSourceConfiguration2 = operation({
  service: 'media2',
  name: 'SetVideoSourceConfiguration',
  kind: 'write',
  request: { Configuration: one(videoSourceConfiguration) },
  response: {},
});

/** Media 2 lists no outputs, only what is made of them. */
export const getAudioOutputConfigurations2 = operation({
  service: 'media2',
  name: 'GetAudioOutputConfigurations',
  kind: 'read',
  request: { ConfigurationToken: optional(token), ProfileToken: optional(token) },
  response: { Configurations: many(audioOutputConfiguration) },
});

export const getStreamUri2 = operation({
  service: 'media2',
  name: 'GetStreamUri',
  kind: 'read',
  request: { Protocol: one(token), ProfileToken: one(token) },
  response: { Uri: one(token) },
});

export const getSnapshotUri2 = operation({
  service: 'media2',
  name: 'GetSnapshotUri',
  kind: 'read',
  request: { ProfileToken: one(token) },
  response: { Uri: one(token) },
});

export const setSynchronizationPoint2 = operation({
  service: 'media2',
  name: 'SetSynchronizationPoint',
  kind: 'read',
  request: { ProfileToken: one(token) },
  response: {},
});
