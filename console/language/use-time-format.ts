// How times are written in this installation: year first in China, month first overseas (LM-03).
import type { TimeFormat } from '@vedette/rules/time-format.ts';
import { useMemo } from 'react';
import { useClientState } from '../session/client-state.ts';

export function useTimeFormat(): TimeFormat {
  const isOverseas = useClientState((state) => state.environment.isOverseasFlag);
  return useMemo(() => ({ isOverseas }), [isOverseas]);
}
