// Video encoders of a virtual device, in both media services: what is set here is the stream that comes (ONVIF Media 5.5, Media2 5.5).

import {
  getVideoEncoder,
  getVideoEncoderOptions,
  getVideoEncoderOptions2,
  getVideoEncoders2,
  setVideoEncoder,
  setVideoEncoder2,
} from '@vedette/protocols/onvif/encoder-operations.ts';
import { liveShapes } from '../device/device-plan.ts';
import { encoder2Of, type MediaProfile, profilesOf, videoEncoderOf } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const sizes = Object.values(liveShapes).map(({ width, height }) => ({ Width: width, Height: height }));
const limits = { rate: { Min: 1, Max: 25 }, gop: { Min: 5, Max: 100 }, kbps: { Min: 64, Max: 8192 } } as const;
/** Quantisers from coarse to fine, by what a stream may take at its size. */
const COARSEST = 44;
const FINEST = 20;

interface EncoderWish {
  readonly token: string;
  readonly Encoding?: string | undefined;
  readonly Resolution?: { readonly Width: number; readonly Height: number } | undefined;
  readonly RateControl?:
    | { readonly FrameRateLimit?: number | undefined; readonly BitrateLimit?: number | undefined }
    | undefined;
}

export function encoderHandlers(device: OnvifDevice): OperationHandler[] {
  const find = (token: string): MediaProfile => {
    const found = profilesOf(device).find((profile) => videoEncoderOf(profile).token === token);
    if (found === undefined) throw invalidArgument('ter:NoConfig', 'The requested configuration does not exist');
    return found;
  };
  return [
    answer(getVideoEncoder, ({ ConfigurationToken }) => ({ Configuration: videoEncoderOf(find(ConfigurationToken)) })),
    answer(getVideoEncoderOptions, () => {
      const H264 = { ResolutionsAvailable: sizes, GovLengthRange: limits.gop, FrameRateRange: limits.rate };
      return {
        Options: {
          QualityRange: { Min: 1, Max: 5 },
          H264: { ...H264, EncodingIntervalRange: { Min: 1, Max: 1 } },
          Extension: { H264: { ...H264, BitrateRange: limits.kbps } },
        },
      };
    }),
    answer(setVideoEncoder, ({ Configuration }) => {
      setEncoder(find(Configuration.token), Configuration, Configuration.H264?.GovLength);
      return {};
    }),
    answer(getVideoEncoders2, ({ ConfigurationToken, ProfileToken }) => ({
      Configurations: profilesOf(device)
        .filter(({ token }) => ProfileToken === undefined || token === ProfileToken)
        .map(encoder2Of)
        .filter(({ token }) => ConfigurationToken === undefined || token === ConfigurationToken),
    })),
    answer(getVideoEncoderOptions2, () => ({
      Options: [
        {
          GovLengthRange: `${limits.gop.Min} ${limits.gop.Max}`,
          FrameRatesSupported: '25 20 15 12 10 8 5 2 1',
          Encoding: 'H264',
          QualityRange: { Min: 1, Max: 5 },
          ResolutionsAvailable: sizes,
          BitrateRange: limits.kbps,
        },
      ],
    })),
    answer(setVideoEncoder2, ({ Configuration }) => {
      setEncoder(find(Configuration.token), Configuration, Configuration.GovLength);
      return {};
    }),
  ];
}

function setEncoder(profile: MediaProfile, wish: EncoderWish, gop: number | undefined): void {
  const settings = settingsFor(profile, wish, gop);
  if (!isOffered(settings)) throw invalidArgument('ter:ConfigModify', 'The configuration is not possible to set');
  const { width, height, rate, kbps, gopFrames } = settings;
  profile.stream.setPace(kbps, gopFrames);
  profile.stream.reshape({ width, height, rate, qp: quantiserOf(kbps, width) });
}

interface EncoderSettings {
  readonly encoding: string;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  readonly kbps: number;
  readonly gopFrames: number;
}

/** What the wish does not name stays as it is. */
function settingsFor({ stream }: MediaProfile, wish: EncoderWish, gop: number | undefined): EncoderSettings {
  const { currentShape } = stream;
  return {
    encoding: wish.Encoding ?? 'H264',
    width: wish.Resolution?.Width ?? currentShape.width,
    height: wish.Resolution?.Height ?? currentShape.height,
    rate: Math.round(wish.RateControl?.FrameRateLimit ?? currentShape.rate),
    kbps: wish.RateControl?.BitrateLimit ?? stream.kbps,
    gopFrames: gop ?? stream.gopFrames,
  };
}

function isOffered({ encoding, width, height, rate, kbps, gopFrames }: EncoderSettings): boolean {
  return (
    encoding === 'H264' &&
    sizes.some((one) => one.Width === width && one.Height === height) &&
    isWithin(rate, limits.rate) &&
    isWithin(kbps, limits.kbps) &&
    isWithin(gopFrames, limits.gop)
  );
}

/** Twice the bits make a step of about six: that is how the quantiser is scaled. */
function quantiserOf(kbps: number, width: number): number {
  const { width: usualWidth, qp } = liveShapes.main;
  const share = Math.log2((1024 * width) / usualWidth / kbps);
  return Math.max(FINEST, Math.min(COARSEST, Math.round(qp + share * 3)));
}

function isWithin(value: number, { Min, Max }: { readonly Min: number; readonly Max: number }): boolean {
  return value >= Min && value <= Max;
}
