// Handlers of the server's calls that search the network for devices.
import type { ScanCalls } from '@vedette/contract/site/site-scan.ts';
import type { Scans } from '../onboarding/scans.ts';

/** Longest poll, below the server's timeout. */
const WAIT_MAX_MS = 5000;

export function scanCalls(scans: Scans) {
  return {
    scanStart: async (input: ScanCalls['scanStart']['input']) => ({ scanId: scans.start(input) }),
    scanRead: (input: ScanCalls['scanRead']['input']) =>
      scans.read({ ...input, waitMs: Math.min(WAIT_MAX_MS, Math.max(0, input.waitMs)) }),
    scanEnd: async ({ scanId }: ScanCalls['scanEnd']['input']) => {
      scans.end(scanId);
      return {};
    },
  };
}
