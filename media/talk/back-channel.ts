// RTSP back channel to a device's loudspeaker: a separate session, open during a talk (ONVIF Streaming 5.3).
import type { TalkCodec } from '@vedette/contract/talk-wire.ts';
import type { RtspCredentials } from '@vedette/protocols/rtsp/authentication.ts';
import { BACK_CHANNEL_REQUIRED, type BackChannelMedia, backChannelOf } from '@vedette/protocols/rtsp/back-channel.ts';
import { openRtspSession, type RtspSession } from '@vedette/protocols/rtsp/client.ts';
import { describeRtsp } from '@vedette/protocols/rtsp/describe.ts';
import type { RtspDial } from '@vedette/protocols/rtsp/dial.ts';
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface BackChannelOptions {
  /** Without user and password. */
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  readonly clientNonce: () => string;
  readonly signal: AbortSignal;
}

export interface BackChannel {
  readonly codec: TalkCodec;
  readonly payloadType: number;
  /** One RTP packet. */
  send(packet: Buffer): void;
  close(): Promise<void>;
}

/** The device accepts no audio, or none that we can send. */
export class NoBackChannel extends Error {
  override readonly name = 'NoBackChannel';
}

const TIMEOUT_MS = 5000;
/** "Option not supported" (RFC 2326 7.1.1): the device has no back channel. */
const OPTION_NOT_SUPPORTED = 551;

/** Audio formats of the device. Throws NoBackChannel, RtspError or the signal's reason. */
export async function askBackChannel(options: BackChannelOptions): Promise<TalkCodec> {
  const found = await orNone(describeRtsp({ ...options, timeoutMs: TIMEOUT_MS, headers: BACK_CHANNEL_REQUIRED }));
  return (backChannelOf(found.sdp) ?? noneOffered()).law;
}

/** `onEnded` is called once when the device ends it. Throws NoBackChannel or RtspError. */
export async function openBackChannel(
  options: BackChannelOptions,
  onEnded: (error: RtspError) => void,
): Promise<BackChannel> {
  let chosen: BackChannelMedia | null = null;
  const opening = openRtspSession({
    ...options,
    headers: BACK_CHANNEL_REQUIRED,
    describeHeaders: BACK_CHANNEL_REQUIRED,
    requestTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
    chooseTracks: (sdp) => {
      chosen = backChannelOf(sdp);
      return chosen ? [chosen.media] : [];
    },
    // The device sends at most reports.
    sink: { packet: () => undefined, senderReport: () => undefined, bye: () => undefined },
    onEnded,
  });
  const session = await orNone(opening);
  const { media, law } = (chosen as BackChannelMedia | null) ?? noneOffered();
  await playOrClose(session);
  return {
    codec: law,
    payloadType: media.payloadType,
    send: (packet) => session.sendMedia(0, packet),
    close: () => session.close(),
  };
}

async function playOrClose(session: RtspSession): Promise<void> {
  try {
    await session.play();
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function orNone<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isNone = error instanceof RtspError && (error.status === OPTION_NOT_SUPPORTED || error.code === 'no-track');
    if (isNone) throw new NoBackChannel('the device takes no sound', { cause: error });
    throw error;
  }
}

function noneOffered(): never {
  throw new NoBackChannel('the device describes no G.711 that it listens to');
}
