// Presets on behalf of a shell, which is also told the result of each change (ST-09).
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { TopicInput } from '@vedette/bridge/topics/topic.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { PRESET_OPERATE } from '@vedette/contract/enumerations.ts';
import { sendToShell } from '../bridge/native-shell.ts';
import { askServer, refuse } from './ask-server.ts';
import type { ClientParts } from './client-parts.ts';

type Operation = TopicInput<WebTopics, 'preset/operate'>;

export function presetHandlers(parts: ClientParts) {
  const { caller, queryClient } = parts;
  return {
    'preset/list': ({ deviceSerial, channelNo }, signal) =>
      askServer(caller, 'preset/list', { deviceSerial, channelNo }, signal),
    'preset/operate': async (operation, signal) => {
      const { deviceSerial, channelNo } = operation;
      let result: 0 | 1 = 0;
      try {
        const presetIndex = await operate(parts, operation, signal);
        result = 1;
        return { presetIndex };
      } finally {
        sendToShell('preset/result', { result });
        void queryClient.invalidateQueries({ queryKey: ['preset/list', deviceSerial, channelNo] });
      }
    },
  } satisfies Handlers<WebTopics>;
}

async function operate({ caller }: ClientParts, operation: Operation, signal: AbortSignal): Promise<number> {
  const { deviceSerial, channelNo, operate: kind, presetIndex, name } = operation;
  const dev = { deviceSerial, channelNo };
  if (kind === PRESET_OPERATE.add) {
    const named = name ?? refuse('name', 'required');
    const input = { ...dev, name: named, ...(presetIndex !== undefined && { presetIndex }) };
    return (await askServer(caller, 'preset/add', input, signal)).presetIndex;
  }
  const index = presetIndex ?? refuse('presetIndex', 'required');
  if (kind === PRESET_OPERATE.delete) await askServer(caller, 'preset/delete', { ...dev, presetIndex: index }, signal);
  else {
    const named = name ?? refuse('name', 'required');
    await askServer(caller, 'preset/update', { ...dev, presetIndex: index, name: named }, signal);
  }
  return index;
}
