// Presets and patrols of one channel as queries, and what changes them; each change is told to the shell as 1 or 0 (ST-09).
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sendToShell } from '../../bridge/native-shell.ts';
import { useCaller } from '../../services/services.ts';
import type { PtzChannel } from './ptz-control.ts';

/** A picture is taken on arrival: looked for so long after a view was kept or gone to. */
const PICTURE_AFTER_MS = [1500, 4000, 8000, 16_000] as const;

export function usePresets({ deviceSerial, channelNo }: PtzChannel) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['preset/list', deviceSerial, channelNo],
    queryFn: ({ signal }) => caller.ask('preset/list', { deviceSerial, channelNo }, { signal, showError: false }),
    retry: false,
    refetchOnWindowFocus: false,
  });
}

export function usePatrols({ deviceSerial, channelNo }: PtzChannel) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['patrol/list', deviceSerial, channelNo],
    queryFn: ({ signal }) => caller.ask('patrol/list', { deviceSerial, channelNo }, { signal, showError: false }),
    retry: false,
  });
}

type PresetChange = Extract<CallPath, `preset/${'add' | 'update' | 'delete' | 'goto'}` | `patrol/${string}`>;
const PICTURED: ReadonlySet<PresetChange> = new Set(['preset/add', 'preset/goto']);
const TOLD: ReadonlySet<PresetChange> = new Set(['preset/add', 'preset/update', 'preset/delete']);

/** The input without the channel's own names. */
export function usePresetChange<P extends PresetChange>(path: P, { deviceSerial, channelNo }: PtzChannel) {
  const caller = useCaller();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Omit<CallInput<P>, 'deviceSerial' | 'channelNo'>) =>
      caller.ask(path, { deviceSerial, channelNo, ...input } as unknown as CallInput<P>),
    onSettled: async (_data, error) => {
      if (TOLD.has(path)) sendToShell('preset/result', { result: error === null ? 1 : 0 });
      const again = (topic: 'preset/list' | 'patrol/list') =>
        client.invalidateQueries({ queryKey: [topic, deviceSerial, channelNo] });
      if (PICTURED.has(path)) for (const ms of PICTURE_AFTER_MS) window.setTimeout(() => void again('preset/list'), ms);
      await Promise.all([again('preset/list'), again('patrol/list')]);
    },
  });
}
