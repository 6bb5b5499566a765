// How times are written here: as the account chose, else year first in China and month first overseas (LM-03).
import { type TimeFormat, timeFormatOf } from '@vedette/rules/time-format.ts';
import { useMemo } from 'react';
import { type ClientState, useClientState } from '../session/client-state.ts';

export function useTimeFormat(): TimeFormat {
  const isOverseas = useClientState((state) => state.environment.isOverseasFlag);
  const preference = useClientState((state) => state.timePreference);
  return useMemo(() => timeFormatOf(isOverseas, preference), [isOverseas, preference]);
}

/** For what is said outside of a component. */
export function currentTimeFormat(
  { environment, timePreference }: ClientState = useClientState.getState(),
): TimeFormat {
  return timeFormatOf(environment.isOverseasFlag, timePreference);
}
