// Consumption: what accounts have and use.
import { resourceHandlers } from '../features/resource/resource.handlers.ts';
import type { Core } from './core.ts';

export function consumptionModule({ database }: Core) {
  return { calls: resourceHandlers({ database }) };
}
