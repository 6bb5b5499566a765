// Does one thing to many devices: a few at a time, and keeps those that refused with their reason.
import type { Device } from '@vedette/contract/entities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';

export interface BatchState {
  readonly isBusy: boolean;
  readonly done: number;
  readonly failed: readonly { readonly device: Device; readonly failure: unknown }[];
}

const IDLE: BatchState = { isBusy: false, done: 0, failed: [] };
const AT_ONCE = 4;

export function useBatch() {
  const client = useQueryClient();
  const [state, setState] = useState<BatchState>(IDLE);
  return {
    ...state,
    /** Answers the devices that refused. */
    run: async (devices: readonly Device[], act: (device: Device) => Promise<unknown>): Promise<readonly Device[]> => {
      setState({ ...IDLE, isBusy: true });
      const waiting = [...devices];
      const refused: Device[] = [];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let device = waiting.shift(); device !== undefined; device = waiting.shift()) {
            const which = device;
            try {
              await act(which);
              setState((before) => ({ ...before, done: before.done + 1 }));
            } catch (failure) {
              refused.push(which);
              setState((before) => ({ ...before, failed: [...before.failed, { device: which, failure }] }));
            }
          }
        }),
      );
      setState((before) => ({ ...before, isBusy: false }));
      await fetchResourcesAgain(client);
      return refused;
    },
  };
}
