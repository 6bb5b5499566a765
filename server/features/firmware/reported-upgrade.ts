// Validates what a site reports about an upgrade: remote sites and device versions are untrusted.
import { UPGRADE_REASONS, UPGRADE_STATES } from '@vedette/contract/calls/firmware.ts';
import { z } from 'zod';
import { cleanVersion } from '../device/device-candidate.facts.ts';

const reported = z.object({
  state: z.enum(UPGRADE_STATES),
  percent: z.number().transform((percent) => Math.round(Math.min(100, Math.max(0, percent)))),
  reason: z.enum(UPGRADE_REASONS).nullable(),
  version: z
    .string()
    .nullable()
    .transform((version) => cleanVersion(version ?? '')),
});

export type ReportedUpgrade = z.infer<typeof reported>;

/** Invalid values count as a failed upgrade. */
export function readReportedUpgrade(answer: unknown): ReportedUpgrade {
  return reported.safeParse(answer).data ?? { state: 'failed', percent: 0, reason: 'interrupted', version: '' };
}
