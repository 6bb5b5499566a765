// The media profiles of a virtual device, one per channel and quality, and the configurations they are made of.

import { type ChannelPlan, livePath, type Quality, qualities } from '../device/device-plan.ts';
import type { OnvifDevice } from './onvif-device.ts';
import type { LiveStream } from '../stream/live-stream.ts';
import { noProfile } from './onvif-fault.ts';

export interface MediaProfile {
  readonly token: string;
  readonly channelNo: number;
  readonly channel: ChannelPlan;
  readonly quality: Quality;
  readonly stream: LiveStream;
}

export function profilesOf(device: OnvifDevice): MediaProfile[] {
  return device.plan.channels.flatMap((channel, index) =>
    qualities.flatMap((quality) => {
      const stream = device.streamOf(index + 1, quality);
      return stream === null
        ? []
        : [{ token: `profile_${index + 1}_${quality}`, channelNo: index + 1, channel, quality, stream }];
    }),
  );
}

export function profileOf(device: OnvifDevice, token: string): MediaProfile {
  const found = profilesOf(device).find((profile) => profile.token === token);
  if (found === undefined) throw noProfile();
  return found;
}

export function sourceToken(channelNo: number): string {
  return `source_${channelNo}`;
}

export function sourceConfigurationToken(channelNo: number): string {
  return `video_source_${channelNo}`;
}

export function videoSourceOf(profile: MediaProfile) {
  return {
    token: sourceConfigurationToken(profile.channelNo),
    Name: profile.channel.name,
    UseCount: qualities.length,
    SourceToken: sourceToken(profile.channelNo),
    Bounds: { x: 0, y: 0, width: 1280, height: 720 },
  };
}

export function analyticsToken(channelNo: number): string {
  return `analytics_${channelNo}`;
}

export function analyticsOf({ channelNo }: MediaProfile) {
  return { token: analyticsToken(channelNo), Name: 'Analytics', UseCount: qualities.length };
}

export function videoEncoderOf({ channelNo, quality, stream }: MediaProfile) {
  const { width, height, rate } = stream.currentShape;
  return {
    token: `encoder_${channelNo}_${quality}`,
    Name: `${quality} ${width}x${height}`,
    UseCount: 1,
    Encoding: 'H264',
    Resolution: { Width: width, Height: height },
    Quality: 4,
    RateControl: { FrameRateLimit: rate, EncodingInterval: 1, BitrateLimit: stream.kbps },
    H264: { GovLength: stream.gopFrames, H264Profile: 'Baseline' },
  };
}

/** The same encoder as media 2 writes it. */
export function encoder2Of(profile: MediaProfile) {
  const { H264, RateControl, ...encoder } = videoEncoderOf(profile);
  const { FrameRateLimit, BitrateLimit } = RateControl;
  return {
    ...encoder,
    GovLength: H264.GovLength,
    Profile: H264.H264Profile,
    RateControl: { FrameRateLimit, BitrateLimit },
  };
}

export function audioOf(profile: MediaProfile) {
  if (profile.channel.hasAudio !== true) return {};
  const { channelNo } = profile;
  return {
    source: {
      token: `audio_source_${channelNo}`,
      Name: 'Microphone',
      UseCount: 3,
      SourceToken: `microphone_${channelNo}`,
    },
    encoder: {
      token: `audio_encoder_${channelNo}`,
      Name: 'G711',
      UseCount: 3,
      Encoding: 'G711',
      Bitrate: 64,
      SampleRate: 8,
    },
  };
}

/** The head by which the profile's camera is turned. */
export function ptzConfigurationOf({ channel, channelNo }: MediaProfile) {
  if (channel.hasPtz !== true) return undefined;
  return { token: `ptz_${channelNo}`, Name: `Head ${channelNo}`, NodeToken: ptzNodeToken(channelNo) };
}

export function ptzNodeToken(channelNo: number): string {
  return `head_${channelNo}`;
}

/** The loudspeaker and what it decodes. */
export function talkOf(device: OnvifDevice, { channel, channelNo }: MediaProfile) {
  if (channel.talk === undefined) return {};
  const shared = { UseCount: qualities.length };
  return {
    output: {
      token: `audio_output_configuration_${channelNo}`,
      Name: 'Loudspeaker',
      ...shared,
      OutputToken: audioOutputToken(channelNo),
      SendPrimacy: 'www.onvif.org/ver20/HalfDuplex/Auto',
      OutputLevel: device.settingsOf(channelNo).audio.outputLevel,
    },
    decoder: { token: `audio_decoder_${channelNo}`, Name: channel.talk.toUpperCase(), ...shared },
  };
}

export function audioOutputToken(channelNo: number): string {
  return `loudspeaker_${channelNo}`;
}

export function streamUriOf(device: OnvifDevice, profile: MediaProfile): string {
  return device.rtspUrl(livePath(profile.channelNo, profile.quality));
}

export function snapshotUriOf(device: OnvifDevice, profile: MediaProfile): string {
  return device.httpUrl(`/snapshot/${profile.channelNo}/${profile.quality}.jpg`);
}
