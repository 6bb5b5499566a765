// Recordings that somebody started by hand from this wall, by channel, until they are over.
import { MANUAL_RECORDING_S } from '@vedette/contract/limits.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { Caller } from '../../../calls/caller.ts';
import { CallFailure, NetworkFailure } from '../../../calls/call-failure.ts';
import { currentTranslate } from '../../../language/language-store.ts';
import { currentTimeFormat } from '../../../language/use-time-format.ts';
import { useServices } from '../../../services/services.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { useChannelFacts } from './channel-facts.ts';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

/** End of the recording, ms, by `wallChannelKey`. */
const useRecordings = create<Readonly<Record<string, number>>>(() => ({}));

/** Starts a recording, or lets the present one go on from now for as long again. */
export async function recordNow(caller: Caller, channel: WallChannel): Promise<void> {
  const key = wallChannelKey(channel);
  if (useChannelFacts.getState().byKey.get(key)?.canRecord !== true) return;
  const { deviceSerial, channelNo } = channel;
  try {
    const { endTime } = await caller.ask('record/trigger', {
      deviceSerial,
      channelNo,
      seconds: MANUAL_RECORDING_S.usual,
    });
    useRecordings.setState({ [key]: endTime });
    showToast(
      'success',
      currentTranslate()('live.recording', { time: formatClock(endTime, currentTimeFormat(), false) }),
    );
  } catch (failure) {
    // The caller has shown what the server said.
    if (failure instanceof CallFailure) return;
    if (!(failure instanceof NetworkFailure)) throw failure;
    showToast('error', currentTranslate()('error.network'));
  }
}

export function isRecordedByHand(channel: WallChannel, now: number): boolean {
  return (useRecordings.getState()[wallChannelKey(channel)] ?? 0) > now;
}

/** When the recording by hand ends, ms; null while there is none. */
export function useManualRecording(channel: WallChannel): number | null {
  const { clock } = useServices();
  const key = wallChannelKey(channel);
  const endTime = useRecordings((recordings) => recordings[key] ?? null);
  useEffect(() => {
    if (endTime === null) return;
    return clock.after(Math.max(0, endTime - clock.wallMs()), () => {
      const { [key]: present, ...others } = useRecordings.getState();
      if (present === endTime) useRecordings.setState(others, true);
    });
  }, [clock, key, endTime]);
  return endTime;
}
