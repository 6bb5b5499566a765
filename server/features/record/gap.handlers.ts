// Handler of record/gap/list: what is missing in the recordings of all channels that the caller may play.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { recordGapCalls } from '@vedette/contract/calls/record-gap.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { type RecordedChannel, recordedChannels } from '../../database/device/channel.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface GapDeps {
  readonly database: Database;
  readonly site: SitePort;
}

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}
type ChannelGaps = CallOutput<'record/gap/list'>['channelList'][number];

/** The index lies in the memory of the site: a question is short, and so many are under way at a time. */
const ASKED_AT_ONCE = 16;

export function gapHandlers({ database, site }: GapDeps): Handlers<keyof typeof recordGapCalls> {
  return {
    'record/gap/list': async ({ input, rights, isWeb }) => {
      refuseBadRange(input);
      const limit = RECORD_LIMITS.gapChannels;
      const found = await recordedChannels(database, visibleChannels(await rights(), 'Replay'), { isWeb, limit });
      const places = new Semaphore({ places: ASKED_AT_ONCE });
      const answers = await Promise.all(
        found.slice(0, limit).map((channel) => places.run(() => gapsOf(site, channel, input))),
      );
      const channelList = answers.filter((one) => one !== 'none' && one !== 'unanswered');
      return {
        total: channelList.length,
        unansweredTotal: answers.filter((one) => one === 'unanswered').length,
        isCut: found.length > limit,
        channelList: channelList.toSorted((a, b) => b.gapMs - a.gapMs),
      };
    },
  };
}

function refuseBadRange({ startTime, endTime }: Range): void {
  if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
  if (endTime - startTime > DAY_MS) throw fieldError({ endTime: 'tooBig' });
}

async function gapsOf(
  site: SitePort,
  { channelId, quality, ...names }: RecordedChannel,
  range: Range,
): Promise<ChannelGaps | 'none' | 'unanswered'> {
  try {
    const { gaps } = await site.call('recordings', {
      channelId,
      quality: quality === 1 || quality === 2 ? quality : 0,
      ...range,
    });
    const cut = gaps
      .filter(({ reason }) => reason !== 'planOff' && reason !== 'empty')
      .map((gap) => ({
        ...gap,
        startTime: Math.max(gap.startTime, range.startTime),
        endTime: Math.min(gap.endTime, range.endTime),
      }));
    const longest = cut.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
    if (longest === undefined) return 'none';
    return { ...names, gapTotal: cut.length, gapMs: cut.reduce((sum, gap) => sum + lengthOf(gap), 0), longest };
  } catch (error) {
    // One site that is away hides nothing of the others.
    if (error instanceof CallError) return 'unanswered';
    throw error;
  }
}

function lengthOf({ startTime, endTime }: Range): number {
  return endTime - startTime;
}
