// Media service, version 1, of a virtual device (ONVIF Media 5).

import {
  getAudioOutputs,
  getProfiles,
  getSnapshotUri,
  getStreamUri,
  getVideoSourceConfigurations,
  getVideoSources,
  setSynchronizationPoint,
} from '@vedette/protocols/onvif/media-operations.ts';
import { videoEncoderConfiguration } from '@vedette/protocols/onvif/media-types.ts';
import { element, type XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { liveShapes, qualities } from '../device/device-plan.ts';
import type { OnvifDevice } from './onvif-device.ts';
import {
  analyticsOf,
  audioOf,
  audioOutputToken,
  ptzConfigurationOf,
  type MediaProfile,
  profileOf,
  profilesOf,
  snapshotUriOf,
  sourceToken,
  streamUriOf,
  talkOf,
  videoEncoderOf,
  videoSourceOf,
} from './media-profiles.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, answerPlain, type OperationHandler } from './operation-handler.ts';

function profileStruct(device: OnvifDevice, profile: MediaProfile) {
  const audio = audioOf(profile);
  const talk = talkOf(device, profile);
  return {
    token: profile.token,
    fixed: true,
    Name: `${profile.channel.name} ${profile.quality}`,
    VideoSourceConfiguration: videoSourceOf(profile),
    AudioSourceConfiguration: audio.source,
    VideoEncoderConfiguration: videoEncoderOf(profile),
    AudioEncoderConfiguration: audio.encoder,
    VideoAnalyticsConfiguration: analyticsOf(profile),
    PTZConfiguration: ptzConfigurationOf(profile),
    Extension:
      talk.output === undefined
        ? undefined
        : { AudioOutputConfiguration: talk.output, AudioDecoderConfiguration: talk.decoder },
  };
}

export function mediaHandlers(device: OnvifDevice): OperationHandler[] {
  const mainProfiles = () => profilesOf(device).filter((profile) => profile.quality === 'main');
  const uri = (text: string) => ({
    MediaUri: { Uri: text, InvalidAfterConnect: false, InvalidAfterReboot: false, Timeout: 'PT0S' },
  });
  return [
    answer(getProfiles, () => ({ Profiles: profilesOf(device).map((profile) => profileStruct(device, profile)) })),
    answerPlain('media', 'GetProfile', (request) => {
      const token = request.child('ProfileToken')?.text.trim() ?? '';
      const all = getProfiles.response.write('trt:GetProfileResponse', {
        Profiles: [profileStruct(device, profileOf(device, token))],
      });
      return element(
        'trt:GetProfileResponse',
        {},
        all.children.map((child) => renamed(child, 'trt:Profile')),
      );
    }),
    answer(getVideoSources, () => ({
      VideoSources: device.plan.channels.map((_, index) => ({
        token: sourceToken(index + 1),
        Framerate: liveShapes.main.rate,
        Resolution: { Width: liveShapes.main.width, Height: liveShapes.main.height },
      })),
    })),
    answer(getAudioOutputs, () => ({
      AudioOutputs: device.plan.channels.flatMap(({ talk }, index) =>
        talk === undefined ? [] : [{ token: audioOutputToken(index + 1) }],
      ),
    })),
    answer(getVideoSourceConfigurations, () => ({ Configurations: mainProfiles().map(videoSourceOf) })),
    answerPlain('media', 'GetVideoEncoderConfigurations', () =>
      element(
        'trt:GetVideoEncoderConfigurationsResponse',
        {},
        profilesOf(device).map((profile) =>
          videoEncoderConfiguration.write('trt:Configurations', videoEncoderOf(profile)),
        ),
      ),
    ),
    answer(getStreamUri, (request) => {
      if (request.StreamSetup.Transport.Protocol === 'HTTP' || request.StreamSetup.Stream !== 'RTP-Unicast') {
        throw invalidArgument('ter:InvalidStreamSetup', 'Only unicast RTSP is offered');
      }
      return uri(streamUriOf(device, profileOf(device, request.ProfileToken)));
    }),
    answer(getSnapshotUri, (request) => uri(snapshotUriOf(device, profileOf(device, request.ProfileToken)))),
    answer(setSynchronizationPoint, (request) => {
      profileOf(device, request.ProfileToken).stream.requestKeyframe();
      return {};
    }),
    answerPlain('media', 'GetServiceCapabilities', () => serviceCapabilities(device)),
  ];
}

function renamed(node: XmlNode | string, name: string): XmlNode | string {
  return typeof node === 'string' ? node : { ...node, name };
}

function serviceCapabilities(device: OnvifDevice): XmlNode {
  return element(
    'trt:GetServiceCapabilitiesResponse',
    {},
    element(
      'trt:Capabilities',
      { SnapshotUri: 'true', Rotation: 'false' },
      element('trt:ProfileCapabilities', {
        MaximumNumberOfProfiles: String(device.plan.channels.length * qualities.length),
      }),
      element('trt:StreamingCapabilities', { RTP_RTSP_TCP: 'true', RTPMulticast: 'false' }),
    ),
  );
}
