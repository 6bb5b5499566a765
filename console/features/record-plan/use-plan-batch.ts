// Sets one plan for every channel of many devices: a few at a time; what refused is kept with its reason and tried again alone.
import { useQueryClient } from '@tanstack/react-query';
import type { RecordPlan } from '@vedette/contract/calls/record-plan.ts';
import type { Channel, Device } from '@vedette/contract/entities.ts';
import { useState } from 'react';
import type { Caller } from '../../calls/caller.ts';
import { allChannels } from '../../calls/paged-calls.ts';
import { useCaller } from '../../services/services.ts';

export interface PlanTarget {
  readonly device: Device;
  /** Null: its channels could not be listed. */
  readonly channel: Channel | null;
}

interface Failed {
  readonly target: PlanTarget;
  readonly failure: unknown;
}

const AT_ONCE = 4;
const SILENT = { showError: false } as const;

export function usePlanBatch(devices: readonly Device[]) {
  const caller = useCaller();
  const client = useQueryClient();
  const [state, setState] = useState<'idle' | 'running'>('idle');
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  return {
    state,
    failed,
    run: async (plan: RecordPlan['plan']): Promise<{ readonly done: number; readonly failed: number }> => {
      const waiting = failed.length > 0 ? failed.map(({ target }) => target) : devices.map(whole);
      setState('running');
      setFailed([]);
      const refused: Failed[] = [];
      let done = 0;
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const target = next;
          try {
            if (target.channel === null) waiting.push(...(await channelsOf(caller, target.device)));
            else {
              await setPlan(caller, target.channel, plan);
              done += 1;
            }
          } catch (failure) {
            refused.push({ target, failure });
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      setFailed(refused);
      setState('idle');
      await client.invalidateQueries({ queryKey: ['record/plan/get'] });
      return { done, failed: refused.length };
    },
  };
}

function whole(device: Device): PlanTarget {
  return { device, channel: null };
}

async function channelsOf(caller: Caller, device: Device): Promise<PlanTarget[]> {
  const channels = await allChannels(caller, device.deviceSerial, SILENT);
  return channels.map((channel) => ({ device, channel }));
}

/** Everything but the times stays as it is: streams, pre-roll, holidays, how long it is kept. */
async function setPlan(caller: Caller, channel: Channel, plan: RecordPlan['plan']): Promise<void> {
  const { deviceSerial, channelNo } = channel;
  const { timeZone: _zone, ...before } = await caller.ask('record/plan/get', { deviceSerial, channelNo }, SILENT);
  await caller.ask('record/plan/set', { deviceSerial, channelNo, ...before, plan }, SILENT);
}
