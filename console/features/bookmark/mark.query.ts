// Bookmarks and locks of the channels on screen, and what can be done to them.
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { Bookmark, RetentionLock } from '@vedette/contract/calls/record-plan.ts';
import { useMemo } from 'react';
import { CallFailure } from '../../calls/call-failure.ts';
import { useCaller } from '../../services/services.ts';
import { type PlaybackChannel, playbackChannelKey } from '../playback/playback-channel.ts';

/** One mark on the timeline; a bookmark of an instant begins and ends at once. */
export interface Mark {
  readonly kind: 'bookmark' | 'lock';
  readonly id: string;
  readonly channel: PlaybackChannel;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly reason: string;
  readonly createdBy: string;
  /** A lock of somebody the camera is shared with. */
  readonly isByShare: boolean;
}

export interface Marks {
  /** Newest first. */
  readonly marks: readonly Mark[];
  readonly isLoading: boolean;
  readonly failure: unknown;
}

const KEY = 'record/marks';

export function useMarks(channels: readonly PlaybackChannel[]): Marks {
  const caller = useCaller();
  return useQueries({
    queries: channels.map((channel) => ({
      queryKey: [KEY, playbackChannelKey(channel)],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const silent = { signal, showError: false };
        const [{ bookmarkList }, { lockList }] = await Promise.all([
          caller.ask('record/bookmark/list', { ...channel }, silent),
          caller.ask('record/lock/list', { ...channel }, silent),
        ]);
        return [...bookmarkList.map(ofBookmark), ...lockList.map(ofLock)];
      },
      staleTime: 60_000,
    })),
    combine: (results): Marks => ({
      // Where the right has ended, what was seen before does not stay.
      marks: results
        .flatMap(({ data, error }) => (error instanceof CallFailure ? [] : (data ?? [])))
        .sort((a, b) => b.start - a.start),
      isLoading: results.some(({ isLoading }) => isLoading),
      failure: results.find(({ error }) => error)?.error ?? null,
    }),
  });
}

function ofBookmark({ bookmarkId, startTime, endTime, ...rest }: Bookmark): Mark {
  return {
    ...common(rest),
    kind: 'bookmark',
    id: bookmarkId,
    start: startTime,
    end: endTime,
    reason: '',
    isByShare: false,
  };
}

function ofLock({ lockId, startTime, endTime, reason, isByShare, ...rest }: RetentionLock): Mark {
  return { ...common(rest), kind: 'lock', id: lockId, start: startTime, end: endTime, reason, isByShare };
}

function common(one: PlaybackChannel & { readonly name: string; readonly createdBy: string }) {
  const { deviceSerial, channelNo, name, createdBy } = one;
  return { channel: { deviceSerial, channelNo }, name, createdBy };
}

export type NewMark = Pick<Mark, 'kind' | 'channel' | 'start' | 'end' | 'name' | 'reason'>;

export function useMarkActions() {
  const caller = useCaller();
  const client = useQueryClient();
  return useMemo(() => {
    const again = (channel: PlaybackChannel): Promise<void> =>
      client.invalidateQueries({ queryKey: [KEY, playbackChannelKey(channel)] });
    const add = async ({ kind, channel, start, end, name, reason }: NewMark): Promise<Mark> => {
      const range = { ...channel, startTime: Math.floor(start), endTime: Math.ceil(end), name };
      if (kind === 'bookmark') return ofBookmark((await caller.ask('record/bookmark/add', range)).bookmark);
      const { lock } = await caller.ask('record/lock', { ...range, ...(reason === '' ? {} : { reason }) });
      return ofLock(lock);
    };
    const remove = async ({ kind, id, channel }: Mark): Promise<void> => {
      if (kind === 'bookmark') await caller.ask('record/bookmark/delete', { ...channel, bookmarkId: id });
      else await caller.ask('record/unlock', { ...channel, lockId: id });
    };
    return {
      /** All or none: where one is refused, what was made before goes again. */
      add: async (marks: readonly NewMark[]): Promise<void> => {
        const made: Mark[] = [];
        try {
          for (const mark of marks) made.push(await add(mark));
        } catch (failure) {
          await Promise.allSettled(made.map(remove));
          throw failure;
        } finally {
          await Promise.all(marks.map(({ channel }) => again(channel)));
        }
      },
      remove: async (marks: readonly Mark[]): Promise<void> => {
        try {
          for (const mark of marks) await remove(mark);
        } finally {
          await Promise.all(marks.map(({ channel }) => again(channel)));
        }
      },
    };
  }, [caller, client]);
}
