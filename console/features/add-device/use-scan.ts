// A search of the network as it goes on: asks, follows while devices come in, and ends it when the panel goes.
import type { FoundDevice } from '@vedette/contract/calls/onboarding.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { useCaller } from '../../services/services.ts';
import { useChosenSite } from '../site/chosen-site.tsx';

export interface Scan {
  readonly state: 'idle' | 'searching' | 'done' | 'failed';
  readonly found: readonly FoundDevice[];
  readonly checked: number;
  readonly total: number;
  readonly failure: unknown;
}

const IDLE: Scan = { state: 'idle', found: [], checked: 0, total: 0, failure: null };
/** An answer comes at once when something was found; progress is asked for this often. */
const WAIT_MS = 1000;

export type Scope = Pick<CallInput<'device/discover'>, 'scope' | 'ports'>;

export function useScan() {
  const caller = useCaller();
  const { siteId } = useChosenSite();
  const [scan, setScan] = useState<Scan>(IDLE);
  const running = useRef<{ abort: AbortController; scanId: string | null } | null>(null);

  const end = useCallback((): void => {
    const one = running.current;
    running.current = null;
    one?.abort.abort();
    const scanId = one?.scanId ?? null;
    // Nobody waits for the answer: what is not ended here ends by itself soon.
    if (scanId !== null) void caller.send('device/discover/cancel', { scanId }, { showError: false }).catch(() => null);
  }, [caller]);

  const start = useCallback(
    async (scope: Scope): Promise<void> => {
      end();
      const one = { abort: new AbortController(), scanId: null as string | null };
      running.current = one;
      const { signal } = one.abort;
      setScan({ ...IDLE, state: 'searching' });
      try {
        let input: CallInput<'device/discover'> = {
          ...scope,
          ...(siteId !== undefined && { siteId }),
          seen: 0,
          waitMs: WAIT_MS,
        };
        for (;;) {
          const answer = await caller.ask('device/discover', input, { signal, showError: false });
          if (signal.aborted) return;
          one.scanId = answer.isDone ? null : answer.scanId;
          const { candidateList: found, checked, total, isDone } = answer;
          setScan({ state: isDone ? 'done' : 'searching', found, checked, total, failure: null });
          if (isDone) return;
          input = { scanId: answer.scanId, seen: answer.version, waitMs: WAIT_MS };
        }
      } catch (failure) {
        if (signal.aborted && failure instanceof NetworkFailure) return;
        setScan((before) => ({ ...before, state: 'failed', failure }));
      }
    },
    [caller, end, siteId],
  );

  const stop = useCallback((): void => {
    end();
    setScan((before) => ({ ...before, state: 'done' }));
  }, [end]);

  useEffect(() => end, [end]);
  return { scan, start, stop };
}
