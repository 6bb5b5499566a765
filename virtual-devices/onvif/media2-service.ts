// Media service, version 2, of a virtual device (ONVIF Media2 5).

import {
  getAudioOutputConfigurations2,
  getProfiles2,
  getSnapshotUri2,
  getStreamUri2,
  getVideoSourceConfigurationOptions2,
  getVideoSourceConfigurations2,
  setVideoSourceConfiguration2,
  setSynchronizationPoint2,
} from '@vedette/protocols/onvif/media2-operations.ts';
import { element } from '@vedette/protocols/xml/xml-writer.ts';
import type { OnvifDevice } from './onvif-device.ts';
import {
  analyticsOf,
  audioOf,
  ptzConfigurationOf,
  encoder2Of,
  type MediaProfile,
  profileOf,
  profilesOf,
  snapshotUriOf,
  sourceConfigurationToken,
  streamUriOf,
  talkOf,
  videoSourceOf,
} from './media-profiles.ts';
import { invalidArgument } from './onvif-fault.ts';
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
    PTZ: has('PTZ') ? ptzConfigurationOf(profile) : undefined,
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
      return { Configurations: profiles.map((profile) => ({ ...videoSourceOf(profile), ...turnOf(device, profile) })) };
    }),
    answer(getVideoSourceConfigurationOptions2, () => ({
      Options: canTurn(device) ? { Extension: { Rotate: { Mode: ['OFF', 'ON'], DegreeList: { Items: [180] } } } } : {},
    })),
    answer(setVideoSourceConfiguration2, ({ Configuration: { token, Extension } }) => {
      const index = device.plan.channels.findIndex((_, at) => sourceConfigurationToken(at + 1) === token);
      const turned = Extension?.Rotate;
      if (index < 0 || !canTurn(device)) throw invalidArgument('ter:NoConfig', 'There is no such configuration');
      if (turned?.Mode === 'ON' && turned.Degree !== 180)
        throw invalidArgument('ter:ConfigModify', 'The picture turns by half alone');
      device.settingsOf(index + 1).setFlip({ mirror: false, upsideDown: turned?.Mode === 'ON' });
      return {};
    }),
    answer(getAudioOutputConfigurations2, () => ({
      Configurations: profilesOf(device)
        .filter(({ quality }) => quality === 'main')
        .flatMap((profile) => talkOf(device, profile).output ?? []),
    })),
    answer(getStreamUri2, (request) => ({ Uri: streamUriOf(device, profileOf(device, request.ProfileToken)) })),
    answer(getSnapshotUri2, (request) => ({ Uri: snapshotUriOf(device, profileOf(device, request.ProfileToken)) })),
    answer(setSynchronizationPoint2, (request) => {
      profileOf(device, request.ProfileToken).stream.requestKeyframe();
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

/** Makers that have an interface of their own turn the picture there. */
function canTurn({ plan }: OnvifDevice): boolean {
  return plan.vendor === undefined;
}

function turnOf(device: OnvifDevice, { channelNo }: MediaProfile) {
  if (!canTurn(device)) return {};
  const Rotate = device.settingsOf(channelNo).look.flip.upsideDown ? { Mode: 'ON', Degree: 180 } : { Mode: 'OFF' };
  return { Extension: { Rotate } };
}
