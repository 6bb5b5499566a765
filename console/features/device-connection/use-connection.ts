// The stored connection of a device, and the two things that are done with an edit of it: try it, save it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { useState } from 'react';
import { CallFailure, failureReason } from '../../calls/call-failure.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { changeOf, type ConnectionDraft, type StoredConnection } from './connection-draft.ts';

const SILENT = { showError: false } as const;

export function useStoredConnection(deviceSerial: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['device/connection/get', deviceSerial],
    queryFn: ({ signal }) => caller.ask('device/connection/get', { deviceSerial }, { ...SILENT, signal }),
    // Opened again it shows what is stored by then.
    gcTime: 0,
  });
}

export interface Attempt {
  readonly busy: 'test' | 'save' | null;
  readonly tested: CallOutput<'device/connection/test'> | null;
  readonly failure: unknown;
}

const NONE: Attempt = { busy: null, tested: null, failure: null };

export function useConnectionAttempt(deviceSerial: string, stored: StoredConnection) {
  const caller = useCaller();
  const client = useQueryClient();
  const [attempt, setAttempt] = useState<Attempt>(NONE);
  const { tested, failure } = attempt;
  return {
    ...attempt,
    /** The device itself says that it is not the one that was added. */
    isOther:
      tested?.isSameDevice === false ||
      (failure instanceof CallFailure && failureReason(failure.data) === 'otherDevice'),
    forget: () => setAttempt(NONE),
    test: async (draft: ConnectionDraft): Promise<void> => {
      setAttempt({ ...NONE, busy: 'test' });
      try {
        const answer = await caller.ask('device/connection/test', { deviceSerial, ...changeOf(draft, stored) }, SILENT);
        setAttempt({ ...NONE, tested: answer });
      } catch (problem) {
        setAttempt({ ...NONE, failure: problem });
      }
    },
    /** False where it was refused. */
    save: async (draft: ConnectionDraft, isSameDevice: boolean): Promise<boolean> => {
      setAttempt((before) => ({ ...before, busy: 'save', failure: null }));
      try {
        const change = { ...changeOf(draft, stored), ...(isSameDevice && { isSameDevice }) };
        await caller.ask('device/update', { deviceSerial, ...change }, SILENT);
        await fetchResourcesAgain(client);
        return true;
      } catch (problem) {
        setAttempt({ ...NONE, failure: problem });
        return false;
      }
    },
  };
}
