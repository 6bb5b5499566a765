// The last PTZ lease of this account that ended without its operator, as the server pushed it.
import type { PushEvent } from '@vedette/contract/events.ts';
import { create } from 'zustand';

export type PtzEnd = Extract<PushEvent, { kind: 'ptzEnded' }>;

export const usePtzEnd = create<{ readonly last: PtzEnd | null }>(() => ({ last: null }));
