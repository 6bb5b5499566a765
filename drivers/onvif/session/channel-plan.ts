// Turns profiles and video sources into channels with up to three streams each; pure, so that every odd device is a test row.
import type { ChannelInfo, ProbeWarning, StreamInfo, StreamQuality } from '../../kit/driver.ts';
import type { DeviceMedia, MediaProfile } from './media-profiles.ts';

interface PlannedStream {
  readonly info: StreamInfo;
  readonly profile: MediaProfile;
}

export interface PlannedChannel {
  readonly channelNo: number;
  readonly sourceToken: string;
  /** Tokens of the configurations of that source. */
  readonly sourceConfigurations: readonly string[];
  readonly name: string;
  readonly streams: readonly PlannedStream[];
  /** The profile by which the head is addressed; null where the camera is fixed. */
  readonly ptzProfile: MediaProfile | null;
}

export interface ChannelPlan {
  readonly channels: readonly PlannedChannel[];
  readonly warnings: readonly ProbeWarning[];
}

const qualities: readonly StreamQuality[] = [0, 1, 2];
const maxNameLength = 64;

/** `knownSources`: tokens of earlier channels, which keep their numbers; what is new comes after them. */
export function planChannels(media: DeviceMedia, knownSources: readonly string[]): ChannelPlan {
  const seen = [...media.sourceTokens, ...media.profiles.map(({ sourceToken }) => sourceToken)];
  const tokens = [...new Set([...knownSources, ...seen])];
  const channels = tokens.map((sourceToken, index) => {
    const profiles = media.profiles.filter((profile) => profile.sourceToken === sourceToken);
    const streams = planStreams(profiles);
    const sourceConfigurations = [...new Set(profiles.map((profile) => profile.sourceConfiguration))];
    const name = tokens.length > 1 ? cleanName(profiles[0]?.sourceName ?? '') : '';
    const ptzProfile = profiles.find(({ ptz }) => ptz !== null) ?? null;
    return { channelNo: index + 1, sourceToken, sourceConfigurations, name, streams, ptzProfile };
  });
  return { channels, warnings: channels.flatMap(warningsOf) };
}

/** The three best streams, the largest picture first; of equal pictures the higher bit rate. */
function planStreams(profiles: readonly MediaProfile[]): PlannedStream[] {
  const playable = profiles.filter(({ codec }) => isPlayable(codec));
  // A JPEG profile beside an H.26x one is for snapshots; alone it is the picture.
  const moving = playable.filter(({ codec }) => codec !== 'mjpeg');
  // What we can't show is shown all the same, so that the user learns why there is no picture.
  const shown = [moving, playable].find((some) => some.length > 0) ?? profiles;
  const sorted = shown.toSorted(
    (a, b) => b.width * b.height - a.width * a.height || (b.kbps ?? 0) - (a.kbps ?? 0) || (b.fps ?? 0) - (a.fps ?? 0),
  );
  const distinct = sorted.filter(
    (profile, index) => sorted.findIndex((p) => p.encoderToken === profile.encoderToken) === index,
  );
  return qualities.flatMap((quality) => {
    const profile = distinct[quality];
    return profile === undefined ? [] : { info: streamInfo(quality, profile), profile };
  });
}

function streamInfo(quality: StreamQuality, profile: MediaProfile): StreamInfo {
  const { codec, width, height, fps, kbps, audio } = profile;
  return {
    quality,
    codec,
    width,
    height,
    ...(fps === null ? {} : { fps }),
    ...(kbps === null ? {} : { kbps }),
    ...(audio === null ? {} : { audio }),
  };
}

export function isPlayable(codec: string): boolean {
  return codec === 'h264' || codec === 'h265' || codec === 'mjpeg';
}

function warningsOf({ channelNo, streams }: PlannedChannel): ProbeWarning[] {
  const main = streams[0]?.info;
  if (main === undefined) return [{ kind: 'channel-without-stream', channelNo }];
  if (!isPlayable(main.codec)) return [{ kind: 'unsupported-codec', channelNo, codec: main.codec }];
  return [];
}

export function channelInfo({ channelNo, name, streams }: PlannedChannel): ChannelInfo {
  return { channelNo, name, streams: streams.map(({ info }) => info) };
}

/** One line of at most 64 characters. */
export function cleanName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return [...line].slice(0, maxNameLength).join('');
}
