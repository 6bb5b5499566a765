// Section `audio`: encoding of the microphone, volume of the loudspeaker (ONVIF Media 5.6, 5.9, Media2 5.5, 5.8).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  getAudioEncoder,
  getAudioEncoderOptions,
  getAudioEncoderOptions2,
  getAudioEncoders2,
  getAudioOutputOptions,
  getAudioOutputOptions2,
  getAudioOutputs,
  setAudioEncoder,
  setAudioEncoder2,
  setAudioOutput,
  setAudioOutput2,
} from '@vedette/protocols/onvif/audio-operations.ts';
import { getProfiles } from '@vedette/protocols/onvif/media-operations.ts';
import { getAudioOutputConfigurations2, getProfiles2 } from '@vedette/protocols/onvif/media2-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { limitsOf, optionsOf } from './image.ts';
import { changedOnly, orAbsent, pick, type SectionSource } from './section-source.ts';

type Value = SectionValue<'audio'>;
export type AudioEncoder = TypeOf<typeof getAudioEncoder.response>['Configuration'];
export type AudioEncoderOptions = TypeOf<typeof getAudioEncoderOptions2.response>['Options'];
type Output = TypeOf<typeof getAudioOutputs.response>['Configurations'][number];
type OutputRange = TypeOf<typeof getAudioOutputOptions2.response>['Options']['OutputLevelRange'];

interface Found {
  readonly encoder: AudioEncoder | null;
  readonly options: AudioEncoderOptions;
  readonly output: Output | null;
  readonly outputRange: OutputRange;
}

/** Encoding names of both services: media 1 has `G711`, media 2 RTP payload names. */
const codecs: readonly (readonly [word: string, theirs: RegExp])[] = [
  ['g711u', /^(?:pcmu|g711u?)$/u],
  ['g711a', /^(?:pcma|g711a)$/u],
  ['g726', /^g726/u],
  ['aac', /^(?:aac|mp4alatm|mpeg4generic)$/u],
  ['opus', /^opus$/u],
];

export function audioSection(source: SectionSource): ConfigSection<'audio'> {
  const { session } = source;
  const isNew = source.plan.streams[0]?.profile.service === 'media2';
  return {
    read: async (signal) => readingOf(await read(source, signal)),
    write: async (next, before, signal) => {
      const change = changedOnly(next, before.value);
      const { encoder, options, output } = await read(source, signal);
      if (encoder !== null && (change.codec ?? change.bitrate ?? change.sampleRate) !== undefined) {
        const Configuration = encoderOf({ ...before.value, ...next }, encoder, options);
        if (isNew) await session.call(setAudioEncoder2, { Configuration }, signal);
        else await session.call(setAudioEncoder, { Configuration, ForcePersistence: true }, signal);
      }
      if (output !== null && change.outputVolume !== undefined) {
        const Configuration = { ...output, OutputLevel: Math.round(change.outputVolume) };
        if (isNew) await session.call(setAudioOutput2, { Configuration }, signal);
        else await session.call(setAudioOutput, { Configuration, ForcePersistence: true }, signal);
      }
    },
  };
}

async function read(source: SectionSource, signal?: AbortSignal): Promise<Found> {
  const profile = source.plan.streams[0]?.profile;
  if (profile === undefined) throw new DeviceFault('not-supported', 'the channel has no stream and so no sound');
  const found =
    profile.service === 'media2'
      ? await read2(source, profile.token, signal)
      : await read1(source, profile.token, signal);
  if (found.encoder === null && found.output === null)
    throw new DeviceFault('not-supported', 'the channel has no sound');
  return found;
}

async function read2({ session }: SectionSource, token: string, signal?: AbortSignal): Promise<Found> {
  const Type = ['AudioEncoder', 'AudioOutput'];
  const { Profiles } = await session.call(getProfiles2, { Token: token, Type }, signal);
  const parts = Profiles[0]?.Configurations;
  const encoderToken = parts?.AudioEncoder?.token;
  const outputToken = parts?.AudioOutput?.token;
  const [encoders, options, outputs, outputOptions] = await Promise.all([
    ofPart(encoderToken, (ofIt) => session.call(getAudioEncoders2, ofIt, signal)),
    ofPart(encoderToken, (ofIt) => orAbsent(session.call(getAudioEncoderOptions2, ofIt, signal))),
    ofPart(outputToken, (ofIt) => orAbsent(session.call(getAudioOutputConfigurations2, ofIt, signal))),
    ofPart(outputToken, (ofIt) => orAbsent(session.call(getAudioOutputOptions2, ofIt, signal))),
  ]);
  return {
    encoder: withToken(encoders?.Configurations, encoderToken),
    options: options?.Options ?? [],
    output: withToken(outputs?.Configurations, outputToken),
    outputRange: outputOptions?.Options.OutputLevelRange,
  };
}

async function read1({ session }: SectionSource, token: string, signal?: AbortSignal): Promise<Found> {
  const { Profiles } = await session.call(getProfiles, {}, signal);
  const { AudioEncoderConfiguration, Extension } = Profiles.find((one) => one.token === token) ?? {};
  const encoderToken = AudioEncoderConfiguration?.token;
  const outputToken = Extension?.AudioOutputConfiguration?.token;
  const [encoder, options, outputs, outputOptions] = await Promise.all([
    ofPart(encoderToken, (ofIt) => session.call(getAudioEncoder, ofIt, signal)),
    ofPart(encoderToken, (ofIt) =>
      orAbsent(session.call(getAudioEncoderOptions, { ...ofIt, ProfileToken: token }, signal)),
    ),
    ofPart(outputToken, () => orAbsent(session.call(getAudioOutputs, {}, signal))),
    ofPart(outputToken, (ofIt) => orAbsent(session.call(getAudioOutputOptions, ofIt, signal))),
  ]);
  return {
    encoder: encoder?.Configuration ?? null,
    options: options?.Options.Options ?? [],
    output: withToken(outputs?.Configurations, outputToken),
    outputRange: outputOptions?.Options.OutputLevelRange,
  };
}

/** Null without a request if the profile has no such part. */
async function ofPart<T>(
  token: string | undefined,
  ask: (ofIt: { readonly ConfigurationToken: string }) => Promise<T | null>,
): Promise<T | null> {
  return token === undefined ? null : await ask({ ConfigurationToken: token });
}

function withToken<T extends { readonly token: string }>(
  configurations: readonly T[] | undefined,
  token: string | undefined,
): T | null {
  return configurations?.find((one) => one.token === token) ?? null;
}

export function readingOf({ encoder, options, output, outputRange }: Found): SectionReading<'audio'> {
  const own = options.find(({ Encoding }) => codecWord(Encoding) === codecWord(encoder?.Encoding));
  const volume = limitsOf(outputRange);
  return {
    value: pick<Value>({
      codec: codecWord(encoder?.Encoding),
      bitrate: wordOf(encoder?.Bitrate),
      sampleRate: wordOf(encoder?.SampleRate),
      outputVolume: volume === undefined ? undefined : output?.OutputLevel,
    }),
    capabilities: pick<SectionReading<'audio'>['capabilities']>({
      codec: optionsOf(options.flatMap(({ Encoding }) => codecWord(Encoding) ?? [])),
      bitrate: ratesOf(own?.BitrateList),
      sampleRate: ratesOf(own?.SampleRateList),
      outputVolume: output?.OutputLevel === undefined ? undefined : volume,
    }),
  };
}

function wordOf(rate: number | undefined): string | undefined {
  return rate === undefined ? undefined : String(rate);
}

function ratesOf(list: { readonly Items: readonly number[] } | undefined) {
  return optionsOf(list?.Items.map(String) ?? []);
}

/** Another encoding keeps the rates if it supports them, else takes its first ones. */
export function encoderOf(next: Value, before: AudioEncoder, options: AudioEncoderOptions): AudioEncoder {
  const option = options.find(({ Encoding }) => codecWord(Encoding) === next.codec);
  const among = (wish: string | undefined, offered: readonly number[] | undefined): number | undefined =>
    offered === undefined || offered.includes(Number(wish))
      ? wish === undefined
        ? undefined
        : Number(wish)
      : offered[0];
  return pick<AudioEncoder>({
    ...before,
    Encoding: option?.Encoding ?? before.Encoding,
    Bitrate: among(next.bitrate, option?.BitrateList?.Items) ?? before.Bitrate,
    SampleRate: among(next.sampleRate, option?.SampleRateList?.Items) ?? before.SampleRate,
  });
}

/** Undefined for none. */
function codecWord(encoding: string | undefined): string | undefined {
  const plain = (encoding ?? '').toLowerCase().replace(/[^a-z0-9]/gu, '');
  return codecs.find(([, theirs]) => theirs.test(plain))?.[0] ?? (plain === '' ? undefined : plain);
}
