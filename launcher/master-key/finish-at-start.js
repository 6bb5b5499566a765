// A start after a change of the master key that was cut off: it goes on first, since no process may read with one key what the other sealed.

import { readMasterKey } from '../backup/recovery-key.js';
import { keyOfChange, readKeyChange } from './change-file.js';
import { finishKeyChange } from './finish-key-change.js';

/** @param {{ root: string, node: string, env: Record<string, string | undefined>, data: string, databaseUrl: string | null, say: (text: string) => void }} place databaseUrl null: a remote site */
export async function finishKeyChangeAtStart({ env, data, ...place }) {
  const change = readKeyChange(data);
  if (change === null) return;
  const to = keyOfChange(change, null);
  place.say('a change of the master key was cut off: it goes on');
  await finishKeyChange({ ...place, data, from: readMasterKey(data, env['VEDETTE_KEY']), to, isKept: true });
}
