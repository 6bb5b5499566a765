// Media service, version 2, of a virtual device (ONVIF Media2 5).

import {
  getAudioOutputConfigurations2,
  getProfiles2,
  getSnapshotUri2,
  getStreamUri2,
  getVideoSourceConfigurations2,
  setSynchronizationPoint2,
} from '@vedette/protocols/onvif/media2-operations.ts';
import { element } from '@vedette/protocols/xml/xml-writer.ts';
import type { OnvifDevice } from './onvif-device.ts';
import {
  analyticsOf,
  audioOf,
  headOf,
  encoder2Of,
  type MediaProfile,
  profileOf,
  profilesOf,
  snapshotUriOf,
  streamUriOf,
  talkOf,
  videoSourceOf,
} from './media-profiles.ts';
import { answer, answerPlain, type OperationHandler } from './operation-handler.ts';

function configurationsOf(device: OnvifDevice, profile: MediaProfile, wanted: readonly string[]) {
  const has = (type: string) => wanted.includes('All') || wanted.includes(type);
  const audio = audioOf(profile);
  const talk = talkOf(device, profile);
  return {
    VideoSource: has('VideoSource') ? videoSourceOf(profile) : undefined,
    AudioSource: has('AudioSource') ? audio.source : undefined,
    VideoEncoder: has('VideoEncoder') ? encoder2Of(profile) : undefined,
    AudioEncoder:
      has('AudioEncoder') && audio.encoder !== undefined
        ? { ...audio.encoder, Encoding: soundWord(profile) }
        : undefined,
    PTZ: has('PTZ') ? headOf(profile) : undefined,
    Analytics: has('Analytics') ? analyticsOf(profile) : undefined,
    AudioOutput: has('AudioOutput') ? talk.output : undefined,
    AudioDecoder: has('AudioDecoder') ? talk.decoder : undefined,
  };
}

function soundWord({ stream }: MediaProfile): string {
  return (stream.format.sound ?? 'pcma').toUpperCase();
}

export function media2Handlers(device: OnvifDevice): OperationHandler[] {
  return [
    answer(getProfiles2, (request) => {
      const profiles = request.Token === undefined ? profilesOf(device) : [profileOf(device, request.Token)];
      return {
        Profiles: profiles.map((profile) => ({
          token: profile.token,
          fixed: true,
          Name: `${profile.channel.name} ${profile.quality}`,
          Configurations: request.Type.length === 0 ? undefined : configurationsOf(device, profile, request.Type),
        })),
      };
    }),
    answer(getVideoSourceConfigurations2, (request) => {
      const profiles = profilesOf(device).filter((profile) =>
        request.ProfileToken === undefined ? profile.quality === 'main' : profile.token === request.ProfileToken,
      );
      return { Configurations: profiles.map(videoSourceOf) };
    }),
    answer(getAudioOutputConfigurations2, () => ({
      Configurations: profilesOf(device)
        .filter(({ quality }) => quality === 'main')
        .flatMap((profile) => talkOf(device, profile).output ?? []),
    })),
    answer(getStreamUri2, (request) => ({ Uri: streamUriOf(device, profileOf(device, request.ProfileToken)) })),
    answer(getSnapshotUri2, (request) => ({ Uri: snapshotUriOf(device, profileOf(device, request.ProfileToken)) })),
    answer(setSynchronizationPoint2, (request) => {
      profileOf(device, request.ProfileToken).stream.requestKey();
      return {};
    }),
    answerPlain('media2', 'GetServiceCapabilities', () =>
      element(
        'tr2:GetServiceCapabilitiesResponse',
        {},
        element(
          'tr2:Capabilities',
          { SnapshotUri: 'true' },
          element('tr2:ProfileCapabilities', {
            MaximumNumberOfProfiles: '12',
            ConfigurationsSupported: 'VideoSource VideoEncoder AudioOutput AudioDecoder',
          }),
          element('tr2:StreamingCapabilities', { RTSPStreaming: 'true', RTPMulticast: 'false', RTP_RTSP_TCP: 'true' }),
        ),
      ),
    ),
  ];
}
