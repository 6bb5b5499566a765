// Sound of a virtual device, in both media services: what is set here is what the streams carry (ONVIF Media 5.6, 5.9, Media2 5.5).

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
import { qualities } from '../device/device-plan.ts';
import type { AudioCodec } from '../stream/stream-format.ts';
import { audioOf, type MediaProfile, profilesOf, talkOf } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const RANGE = { Min: 0, Max: 100 };
const rates = { BitrateList: { Items: [64] }, SampleRateList: { Items: [8] } };
const codecs: Readonly<Record<string, AudioCodec>> = { PCMU: 'pcmu', PCMA: 'pcma', G711: 'pcmu' };

interface EncoderWish {
  readonly token: string;
  readonly Encoding?: string | undefined;
}

interface OutputWish {
  readonly token: string;
  readonly OutputLevel?: number | undefined;
}

export function audioHandlers(device: OnvifDevice): OperationHandler[] {
  const mains = () => profilesOf(device).filter(({ quality }) => quality === 'main');
  const withEncoder = (token: string): MediaProfile => {
    const found = mains().find((profile) => audioOf(profile).encoder?.token === token);
    if (found === undefined) throw noConfiguration();
    return found;
  };
  const setEncoder = ({ token, Encoding }: EncoderWish) => {
    const codec = codecs[Encoding ?? ''];
    const { channelNo } = withEncoder(token);
    if (codec === undefined) throw invalidArgument('ter:ConfigModify', 'The configuration is not possible to set');
    for (const quality of qualities) {
      const stream = device.streamOf(channelNo, quality);
      if (stream !== null && stream.format.sound !== codec) stream.reformat({ ...stream.format, sound: codec }, true);
    }
    return {};
  };
  const setOutput = ({ token, OutputLevel = RANGE.Max }: OutputWish) => {
    const found = mains().find((profile) => talkOf(device, profile).output?.token === token);
    if (found === undefined) throw noConfiguration();
    if (OutputLevel < RANGE.Min || OutputLevel > RANGE.Max)
      throw invalidArgument('ter:ConfigModify', 'The configuration is not possible to set');
    device.settingsOf(found.channelNo).audio = { outputLevel: OutputLevel };
    return {};
  };
  const outputOptions = () => ({ Options: { OutputTokensAvailable: [], OutputLevelRange: RANGE } });
  return [
    answer(getAudioEncoder, ({ ConfigurationToken }) => {
      const { encoder } = audioOf(withEncoder(ConfigurationToken));
      return { Configuration: encoder ?? { token: ConfigurationToken } };
    }),
    answer(getAudioEncoderOptions, () => ({ Options: { Options: [{ Encoding: 'G711', ...rates }] } })),
    answer(setAudioEncoder, ({ Configuration }) => setEncoder(Configuration)),
    answer(getAudioEncoders2, ({ ConfigurationToken }) => ({
      Configurations: mains().flatMap((profile) => {
        const { encoder } = audioOf(profile);
        if (encoder === undefined || (ConfigurationToken !== undefined && ConfigurationToken !== encoder.token))
          return [];
        return [{ ...encoder, Encoding: (profile.stream.format.sound ?? 'pcma').toUpperCase() }];
      }),
    })),
    answer(getAudioEncoderOptions2, () => ({
      Options: ['PCMA', 'PCMU'].map((Encoding) => ({ Encoding, ...rates })),
    })),
    answer(setAudioEncoder2, ({ Configuration }) => setEncoder(Configuration)),
    answer(getAudioOutputs, () => ({
      Configurations: mains().flatMap((profile) => talkOf(device, profile).output ?? []),
    })),
    answer(getAudioOutputOptions, outputOptions),
    answer(setAudioOutput, ({ Configuration }) => setOutput(Configuration)),
    answer(getAudioOutputOptions2, outputOptions),
    answer(setAudioOutput2, ({ Configuration }) => setOutput(Configuration)),
  ];
}

function noConfiguration() {
  return invalidArgument('ter:NoConfig', 'The requested configuration does not exist');
}
