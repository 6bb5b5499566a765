// Tickets for one channel's tile: the stream by the number of windows (LM-02), another one where this browser can't play it.
import type { Quality } from '@vedette/contract/enumerations.ts';
import { QUALITY } from '@vedette/contract/enumerations.ts';
import type { TicketAnswer, TicketRequest, TileSource } from '@vedette/player/live/tile-source.ts';
import { CallFailure, failureReason } from '../../../calls/call-failure.ts';
import type { Caller } from '../../../calls/caller.ts';
import { codeForViewer } from '../../../realtime/received-shares.ts';
import type { WallChannel } from '../wall/wall-model.ts';

export interface ChannelSourceOptions {
  readonly caller: Caller;
  readonly channel: WallChannel;
  readonly quality: Quality;
  /** The stream that was chosen in the end. */
  readonly onQuality: (quality: number) => void;
}

export function channelSource(options: ChannelSourceOptions): TileSource {
  return {
    async getTicket(request) {
      try {
        return await chooseTicket(options, request);
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        return {
          kind: 'refused',
          code: codeForViewer(options.channel.deviceSerial, failure.code),
          reason: failureReason(failure.data),
        };
      }
    },
  };
}

async function chooseTicket(options: ChannelSourceOptions, request: TicketRequest): Promise<TicketAnswer> {
  const { caller, channel, onQuality } = options;
  const { codecs, isLighter, signal } = request;
  // The wall's channel knows more than the call takes.
  const dev = { deviceSerial: channel.deviceSerial, channelNo: channel.channelNo };
  const quality = isLighter ? lighter(options.quality) : options.quality;
  const answer = await caller.ask('media/url', { ...dev, quality, codecs: [...codecs] }, { showError: false, signal });
  // A device that was never looked at has no codec yet; its stream will say.
  const isPlayable = answer.codec === '' || codecs.some((codec) => codec === answer.codec);
  if (!isPlayable) return { kind: 'unsupported', codec: answer.codec };
  onQuality(answer.quality);
  const { ticket, p2pUrl, forwardUrl, hlsUrl } = answer;
  // Where the site is the local site, both are the same.
  const whepUrl = p2pUrl === forwardUrl ? null : ownAddress(p2pUrl);
  return { kind: 'ticket', ticket, quality: answer.quality, hlsUrl: ownAddress(hlsUrl), whepUrl };
}

/** The server writes addresses for whoever asks from anywhere; the page may only fetch from where it came. */
function ownAddress(url: string): string | null {
  if (url === '') return null;
  const { pathname, search } = new URL(url, location.href);
  return new URL(pathname + search, location.href).href;
}

function lighter(quality: Quality): Quality {
  return quality === QUALITY.main ? QUALITY.second : QUALITY.third;
}
