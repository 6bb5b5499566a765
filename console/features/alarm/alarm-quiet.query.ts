// When the user wants no messages and no alarm sound, as stored on the server.
import { ALARM_RULE_LIMITS } from '@vedette/contract/limits.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isRaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { AlarmSuppression } from '@vedette/contract/calls/alarm-rule.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller, useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import type { Caller } from '../../calls/caller.ts';
import { reportNoAnswer } from '../../calls/report-no-answer.ts';

export function alarmQuietQuery(caller: Caller, userId: string) {
  return queryOptions({
    queryKey: ['alarm/quiet/get', userId],
    queryFn: async ({ signal }) => (await caller.ask('alarm/quiet/get', {}, { signal, showError: false })).quiet,
    staleTime: 60_000,
  });
}

export function useAlarmQuiet() {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const userId = useAuth((auth) => auth.userId);
  const options = alarmQuietQuery(caller, userId);
  const query = useQuery(options);
  const save = useMutation({
    mutationFn: async (quiet: AlarmSuppression) => (await caller.ask('alarm/quiet/set', { quiet })).quiet,
    onSuccess: (quiet) => client.setQueryData(options.queryKey, quiet),
    onError: (failure) => reportNoAnswer(t, failure),
  });
  return { query, save };
}

/** Silence for one kind of alarm at one device; the alarms themselves come all the same. */
export function useSnooze({ deviceSerial, type }: Pick<Alarm, 'deviceSerial' | 'type'>) {
  const { clock } = useServices();
  const { query, save } = useAlarmQuiet();
  const now = clock.wallMs();
  const lasting = (query.data?.snoozed ?? []).filter(({ until }) => until > now);
  const others = lasting.filter((one) => one.type !== type || one.deviceSerial !== deviceSerial);
  const write = (snoozed: AlarmSuppression['snoozed']): void => {
    if (query.data !== undefined) save.mutate({ ...query.data, snoozed });
  };
  return {
    until: lasting.find((one) => !others.includes(one))?.until ?? null,
    isReady: query.data !== undefined && isRaisedAlarmType(type),
    isBusy: save.isPending,
    snooze: (ms: number): void => {
      if (!isRaisedAlarmType(type)) return;
      write([{ deviceSerial, type, until: clock.wallMs() + ms }, ...others].slice(0, ALARM_RULE_LIMITS.snoozed));
    },
    wake: (): void => write(others),
  };
}
