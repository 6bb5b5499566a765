// The attacks by name, in the order in which they disturb least.
import type { Attack } from './attack.ts';
import { frozenDatabase } from './frozen-database.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { siteMemory } from './site-memory.ts';
import { socketFloods } from './socket-floods.ts';
import { stolenToken } from './stolen-token.ts';

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'stolen-token': stolenToken,
  'hostile-answers': hostileAnswers,
  'site-memory': siteMemory,
  'socket-floods': socketFloods,
  'frozen-database': frozenDatabase,
};
