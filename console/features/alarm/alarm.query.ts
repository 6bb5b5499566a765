// The list of alarms: fetched by pages, kept current by push, each alarm once.
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useMemo, useState } from 'react';
import { noteAlarms, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { showToast, UNDO_TOAST_MS } from '../../ui/feedback/toast-store.ts';
import { useResources } from '../resource-tree/resources.query.ts';
import { matches, newestFirst } from './alarm-filter.ts';
import { reportNoAnswer } from '../../calls/report-no-answer.ts';
import { holdBack, isSameMark, type ListedAlarm, type ShownMark } from './held-alarms.ts';

const PAGE_SIZE = 100;

export interface AlarmList {
  readonly query: ReturnType<typeof usePages>;
  readonly alarms: readonly Alarm[];
  /** Arrived since, and held back so that nothing moves. */
  readonly heldCount: number;
  readonly showHeld: () => void;
}

function usePages(input: CallInput<'alarm/list'>) {
  const caller = useCaller();
  return useInfiniteQuery({
    queryKey: ['alarm/list', input],
    queryFn: ({ signal, pageParam }) =>
      caller.ask(
        'alarm/list',
        { ...input, pageSize: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal, showError: false },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** `isHeld`: new ones wait, because the list is scrolled or pointed at. */
export function useAlarmList(input: CallInput<'alarm/list'>, isHeld: boolean): AlarmList {
  const query = usePages(input);
  const listed = useListed(query, input);
  const { arrived } = useAlarmStore();
  const newest: ShownMark = { no: arrived[0]?.no ?? 0, top: listed[0]?.alarm };
  // Of another question nothing has been shown yet.
  const question = query.isPlaceholderData || query.data === undefined ? null : input;
  const [shown, setShown] = useState({ question, mark: newest });
  const { mark } = shown;
  const isShown = question === shown.question && isSameMark(mark, newest);
  const mayMove = !isHeld || question === null || question !== shown.question;
  if (mayMove && !isShown) setShown({ question, mark: newest });
  const parts = useMemo(() => holdBack(listed, mark), [listed, mark]);
  return { query, ...parts, showHeld: () => setShown({ question, mark: newest }) };
}

/** Fetched and pushed, each once, newest first. */
function useListed(query: ReturnType<typeof usePages>, input: CallInput<'alarm/list'>): readonly ListedAlarm[] {
  const { changed, arrived } = useAlarmStore();
  const isBelow = useIsBelow();
  const { data, hasNextPage } = query;
  return useMemo(() => {
    const numbers = new Map(arrived.map(({ alarm, no }) => [alarm.alarmId, no]));
    const fetched = (data?.pages ?? []).flatMap((page) => page.alarmList);
    const newest = (alarm: Alarm): Alarm => changed.get(alarm.alarmId) ?? alarm;
    const byId = new Map<string, ListedAlarm>();
    for (const alarm of fetched) byId.set(alarm.alarmId, { alarm: newest(alarm), no: numbers.get(alarm.alarmId) ?? 0 });
    // What happened before the last row that is here comes with a later page.
    const last = hasNextPage ? fetched.at(-1) : undefined;
    const isOfLaterPage = (alarm: Alarm): boolean => last !== undefined && newestFirst(alarm, last) > 0;
    for (const { alarm: first, no } of arrived) {
      const alarm = newest(first);
      // As it arrived: what is acknowledged meanwhile stays in sight, as it does in a page that was fetched.
      if (byId.has(alarm.alarmId) || !matches(input, first, isBelow) || isOfLaterPage(alarm)) continue;
      byId.set(alarm.alarmId, { alarm, no });
    }
    return [...byId.values()].sort((one, other) => newestFirst(one.alarm, other.alarm));
  }, [data, hasNextPage, changed, arrived, input, isBelow]);
}

function useIsBelow(): (organizationId: string, ancestorId: string) => boolean {
  const { data } = useResources();
  return useMemo(() => {
    const parents = new Map(
      (data ?? []).flatMap((resource) =>
        resource.resourceType === 'organization'
          ? [[resource.organization.organizationId, resource.organization.parentOrgId] as const]
          : [],
      ),
    );
    return (organizationId, ancestorId) => {
      if (ancestorId === '0') return true;
      const seen = new Set<string>();
      for (let at: string | undefined = organizationId; at !== undefined && !seen.has(at); at = parents.get(at)) {
        if (at === ancestorId) return true;
        seen.add(at);
      }
      return false;
    };
  }, [data]);
}

/** The server takes so many at once. */
const ACK_AT_ONCE = 500;

export function useAlarmActions() {
  const t = useT();
  const caller = useCaller();
  const ask = async (path: 'alarm/ack' | 'alarm/close', ids: readonly string[], undo: boolean): Promise<void> => {
    for (let from = 0; from < ids.length; from += ACK_AT_ONCE) {
      const { alarmList } = await caller.ask(path, { alarmIds: ids.slice(from, from + ACK_AT_ONCE), undo });
      noteAlarms(alarmList);
    }
  };
  const lost = (failure: unknown): void => reportNoAnswer(t, failure);
  const tell = (path: 'alarm/ack' | 'alarm/close', ids: readonly string[]): void => {
    const text = t.plural(path === 'alarm/ack' ? 'alarms.didAcknowledge' : 'alarms.didClose', ids.length);
    showToast('success', text, UNDO_TOAST_MS, {
      label: t('alarms.undo'),
      run: () => void ask(path, ids, true).catch(lost),
    });
  };
  const acknowledge = useMutation({
    mutationFn: (alarmIds: readonly string[]) => ask('alarm/ack', alarmIds, false),
    onSuccess: (_, alarmIds) => tell('alarm/ack', alarmIds),
    onError: lost,
  });
  const close = useMutation({
    mutationFn: (alarmIds: readonly string[]) => ask('alarm/close', alarmIds, false),
    onSuccess: (_, alarmIds) => tell('alarm/close', alarmIds),
    onError: lost,
  });
  const give = async ({ alarmId }: Alarm, account: string): Promise<void> => {
    const input = { alarmIds: [alarmId], ...(account === '' ? {} : { account }) };
    noteAlarms((await caller.ask('alarm/assign', input, { showError: false })).alarmList);
  };
  const assign = useMutation({
    mutationFn: ({ alarm, account }: { readonly alarm: Alarm; readonly account: string }) => give(alarm, account),
    onSuccess: (_, { alarm, account }) => {
      const takeBack = async (): Promise<void> => {
        await give(alarm, alarm.assignedTo);
        // It was acknowledged on the way.
        if (alarm.state === 'new') await ask('alarm/ack', [alarm.alarmId], true);
      };
      const text = account === '' ? t('alarms.didTakeBack') : t('alarms.didAssign', { account });
      showToast('success', text, UNDO_TOAST_MS, {
        label: t('alarms.undo'),
        run: () => void takeBack().catch(lost),
      });
    },
  });
  const comment = useMutation({
    mutationFn: async ({ alarmId, text }: { readonly alarmId: string; readonly text: string }) =>
      noteAlarms((await caller.ask('alarm/comment', { alarmIds: [alarmId], comment: text })).alarmList),
    onError: lost,
  });
  return { acknowledge, close, assign, comment };
}
