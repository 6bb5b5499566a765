// Tickets for one channel's tile: the stream by the number of windows (LM-02), another one where this browser can't play it.
import type { CallOutput } from '@vedette/contract/calls.ts';
import type { Quality } from '@vedette/contract/enumerations.ts';
import { QUALITY } from '@vedette/contract/enumerations.ts';
import type { TicketAnswer, TicketRequest, TileSource } from '@vedette/player/tile-source.ts';
import { CallFailure, failureReason } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import type { WallChannel } from './wall-model.ts';

export interface ChannelSourceOptions {
  readonly caller: Caller;
  readonly channel: WallChannel;
  readonly quality: Quality;
  /** The stream that was chosen in the end. */
  readonly onQuality: (quality: number) => void;
}

type StreamRow = CallOutput<'stream/list'>['streamList'][number];

export function channelSource(options: ChannelSourceOptions): TileSource {
  return {
    async getTicket(request) {
      try {
        return await chooseTicket(options, request);
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        return { kind: 'refused', code: failure.code, reason: failureReason(failure.data) };
      }
    },
  };
}

async function chooseTicket(options: ChannelSourceOptions, request: TicketRequest): Promise<TicketAnswer> {
  const { caller, channel, onQuality } = options;
  // The wall's channel knows more than the call takes.
  const dev = { deviceSerial: channel.deviceSerial, channelNo: channel.channelNo };
  const wanted = request.isLighter ? lighter(options.quality) : options.quality;
  const ask = (quality: Quality) =>
    caller.ask('media/url', { ...dev, quality }, { showError: false, signal: request.signal });
  const answer = await ask(wanted);
  const isPlayable = answer.codec === '' || request.canPlay(answer.codec);
  if (isPlayable) {
    onQuality(answer.quality);
    return { kind: 'ticket', ticket: answer.ticket, quality: answer.quality };
  }
  const { streamList } = await caller.ask('stream/list', dev, { showError: false, signal: request.signal });
  const other = playableStream(streamList, request, wanted);
  if (other === null) return { kind: 'unsupported', codec: answer.codec };
  const instead = await ask(other);
  onQuality(instead.quality);
  return { kind: 'ticket', ticket: instead.ticket, quality: instead.quality };
}

/** The next smaller stream that this browser plays, else the next larger one. */
function playableStream(streams: readonly StreamRow[], request: TicketRequest, wanted: Quality): Quality | null {
  const playable = Object.values(QUALITY).filter((quality) =>
    streams.some((stream) => stream.quality === quality && quality !== wanted && request.canPlay(stream.codec)),
  );
  return playable.find((quality) => quality > wanted) ?? playable.at(-1) ?? null;
}

function lighter(quality: Quality): Quality {
  return quality === QUALITY.main ? QUALITY.second : QUALITY.third;
}
