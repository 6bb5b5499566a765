// Calls of the site for long device work, firmware upgrades and disk formatting, and the schemas of their answers.
import { z } from 'zod';
import { UPGRADE_REASONS, UPGRADE_STATES, type UpgradeReason } from '../calls/firmware.ts';
import { deviceText, done, percent } from './site-answer-parts.ts';

export interface SiteUpgrade {
  /** `none`: unknown to the site, for example after its restart. */
  readonly state: 'none' | 'taking' | 'sending' | 'installing' | 'finished' | 'failed';
  readonly percent: number;
  readonly reason: UpgradeReason | null;
  /** Version reported after the upgrade; null before. */
  readonly version: string | null;
}

export interface SiteFormat {
  readonly state: 'none' | 'running' | 'finished' | 'failed';
  readonly percent: number;
  /** Why it failed, as every other refusal of a device. */
  readonly code: number | null;
  readonly data: unknown;
}

interface OfDevice {
  readonly deviceSerial: string;
}

export interface DeviceMaintenanceCalls {
  /** 1006 where the device takes no firmware, 1012 while one is under way. The file follows in parts. */
  upgradeBegin: { input: OfDevice & { bytes: number; sha256: string }; output: Record<string, never> };
  /** `data`: base64. Parts come in order; 1003 for one that does not follow the last. */
  upgradePart: { input: OfDevice & { offset: number; data: string }; output: Record<string, never> };
  /** All parts are sent: transfer the file to the device; 1003 if it differs from what was announced. */
  upgradeRun: { input: OfDevice; output: Record<string, never> };
  upgradeStatus: { input: OfDevice; output: SiteUpgrade };
  /** 1006 if the device cannot format, 1012 while the disk is being formatted. */
  formatStart: { input: OfDevice & { channelNo: number; disk: string }; output: SiteFormat };
  formatStatus: { input: OfDevice & { disk: string }; output: SiteFormat };
  /** Switches a relay output, as a test. */
  outputSwitch: {
    input: OfDevice & { channelNo: number; output: string; isOn: boolean };
    output: Record<string, never>;
  };
}

const siteFormat = z.object({
  state: z.enum(['none', 'running', 'finished', 'failed']),
  percent,
  code: z.number().int().min(0).max(9999).nullable(),
  // Nobody reads it yet.
  data: z.unknown().transform(() => null),
});

export const upgradeAnswers = {
  upgradeBegin: done,
  upgradePart: done,
  upgradeRun: done,
  upgradeStatus: z.object({
    state: z.enum(UPGRADE_STATES),
    percent: z.number().overwrite((value) => Math.round(Math.min(100, Math.max(0, value)))),
    reason: z.enum(UPGRADE_REASONS).nullable(),
    version: deviceText(128).nullable(),
  }),
  formatStart: siteFormat,
  formatStatus: siteFormat,
  outputSwitch: done,
};
