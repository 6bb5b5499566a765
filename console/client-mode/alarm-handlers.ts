// Playback of alarms one after another on behalf of a shell (ST-08).
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import { type PlayedAlarm, playAlarm, playableAlarms, playedAlarms } from '../features/alarm/played-alarms.ts';
import { useClientState } from '../session/client-state.ts';
import { askServer, refuse } from './ask-server.ts';
import type { ClientParts } from './client-parts.ts';

export function alarmHandlers(parts: ClientParts) {
  return {
    'alarm/playback': async ({ alarmId, step }, signal) => {
      const list = await listWith(parts, alarmId, signal);
      const at = list.findIndex((alarm) => alarm.alarmId === alarmId) + step;
      const address = playAlarm(list, at) ?? refuse('step', 'notAllowed');
      await (await parts.router).navigate(address);
      return { alarmId: list[at]?.alarmId ?? alarmId };
    },
  } satisfies Handlers<WebTopics>;
}

/** The list that is played already where the alarm stands in it, else the newest alarms. */
async function listWith(
  { caller }: ClientParts,
  alarmId: string,
  signal: AbortSignal,
): Promise<readonly PlayedAlarm[]> {
  const isIn = (list: readonly PlayedAlarm[]): boolean => list.some((alarm) => alarm.alarmId === alarmId);
  const played = playedAlarms(useClientState.getState().alarmList);
  if (isIn(played)) return played;
  const { alarmList } = await askServer(caller, 'alarm/list', { pageSize: ALARM_LIMITS.pageSize }, signal);
  const newest = playableAlarms(alarmList);
  return isIn(newest) ? newest : refuse('alarmId', 'notFound');
}
