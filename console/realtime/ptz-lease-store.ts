// The last PTZ lease of this account that ended without its operator, as the server pushed it.
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import { create } from 'zustand';

export type EndedPtzLease = Extract<PushEvent, { kind: 'ptzEnded' }>;

export const useEndedPtzLease = create<{ readonly last: EndedPtzLease | null }>(() => ({ last: null }));
