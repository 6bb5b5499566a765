// Adds many found devices with one account: a few at a time, each with its own end, the failed ones again if asked.
import type { FoundDevice } from '@vedette/contract/calls/onboarding.ts';
import { DEVICE_NAME_LENGTH_MAX } from '@vedette/rules/validation/device-fields.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { useChosenSite } from '../site/chosen-site.tsx';

export type RowState =
  | { readonly kind: 'waiting' | 'adding' | 'added' }
  | { readonly kind: 'failed'; readonly failure: unknown };

export interface BatchAddOptions {
  readonly user: string;
  readonly password: string;
  readonly organizationId: string;
}

const AT_ONCE = 4;

export function useBatchAdd() {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const site = useChosenSite();
  const [rows, setRows] = useState<ReadonlyMap<string, RowState>>(new Map());
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const set = (target: string, state: RowState): void =>
    setRows((before) => new Map([...before, [target, state] as const]));

  async function addOne(device: FoundDevice, account: BatchAddOptions, signal: AbortSignal): Promise<void> {
    const { target, address } = device;
    set(target, { kind: 'adding' });
    const deviceName = (device.deviceName || t('find.noName', { address })).slice(0, DEVICE_NAME_LENGTH_MAX);
    try {
      await caller.ask('device/add', { target, deviceName, ...account, ...site }, { signal, showError: false });
      set(target, { kind: 'added' });
    } catch (failure) {
      if (!signal.aborted) set(target, { kind: 'failed', failure });
    }
  }

  return {
    rows,
    isBusy: [...rows.values()].some(({ kind }) => kind === 'waiting' || kind === 'adding'),
    add: async (devices: readonly FoundDevice[], account: BatchAddOptions): Promise<void> => {
      const abort = new AbortController();
      running.current = abort;
      const waiting = [...devices];
      for (const { target } of devices) set(target, { kind: 'waiting' });
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = waiting.shift(); next !== undefined && !abort.signal.aborted; next = waiting.shift()) {
            await addOne(next, account, abort.signal);
          }
        }),
      );
      await fetchResourcesAgain(client);
    },
  };
}
