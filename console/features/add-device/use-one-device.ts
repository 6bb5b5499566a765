// The two steps of adding one device: look at it, then add it under a name.
import type { Candidate } from '@vedette/contract/calls/device.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useChosenSite } from '../site/chosen-site.tsx';
import type { Naming } from './naming-step.tsx';
import type { ProbeTarget } from './probe-step.tsx';

interface State {
  readonly candidate: Candidate | null;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

const START: State = { candidate: null, isBusy: false, failure: null };

export function useOneDevice(onAdded: (deviceSerial: string) => void) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const site = useChosenSite();
  const [state, setState] = useState<State>(START);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<Candidate | null>): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setState((before) => ({ ...before, isBusy: true, failure: null }));
    try {
      const candidate = await work(abort.signal);
      setState({ candidate, isBusy: false, failure: null });
    } catch (failure) {
      const wasCancelled = abort.signal.aborted && failure instanceof NetworkFailure;
      setState((before) => ({ ...before, isBusy: false, failure: wasCancelled ? null : failure }));
    }
  }
  return {
    ...state,
    back: () => setState(START),
    cancel: () => running.current?.abort(),
    probe: (target: ProbeTarget) =>
      run(
        async (signal) =>
          (await caller.ask('device/probe', { ...target, ...site }, { signal, showError: false })).candidate,
      ),
    add: (target: ProbeTarget, naming: Naming) =>
      run(async (signal) => {
        const { device } = await caller.ask(
          'device/add',
          { ...target, ...naming, ...site },
          { signal, showError: false },
        );
        showToast('success', t('add.added', { name: device.deviceName }));
        await fetchResourcesAgain(client);
        onAdded(device.deviceSerial);
        return null;
      }),
  };
}
