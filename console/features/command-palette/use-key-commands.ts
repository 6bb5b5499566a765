// Every shortcut that is active as a command: who registers a key has an action in the palette.
import { useMemo } from 'react';
import { canRun, type KeyBinding, runBinding, useKeyStore } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import type { Command } from './command.ts';

export const PALETTE_KEYS = '$mod+k';

/** Screens are commands of their own, and the palette stands open. */
function isAction({ keys }: KeyBinding): boolean {
  return keys !== PALETTE_KEYS && !keys.startsWith('g ');
}

export function useKeyCommands(): readonly Command[] {
  const t = useT();
  const bindings = useKeyStore((state) => state.bindings);
  return useMemo(() => {
    const commands = bindings
      .filter((binding) => isAction(binding) && canRun(binding))
      .map((binding): Command => {
        const { keys, label, group } = binding;
        const detail = group === undefined ? {} : { detail: t(group) };
        const base = { id: `key:${label}`, kind: 'action' as const, label: t(label), keys, ...detail };
        return { ...base, run: () => runBinding(binding) };
      });
    // Two keys may do the same.
    return [...new Map(commands.map((command) => [command.id, command])).values()];
  }, [bindings, t]);
}
