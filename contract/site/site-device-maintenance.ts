// What the server asks of the site for work that takes a device minutes, new firmware and emptying a disk, and the schemas of what it answers.
import { z } from 'zod';
import { UPGRADE_REASONS, UPGRADE_STATES, type UpgradeReason } from '../calls/firmware.ts';
import { deviceText, done, percent } from './site-answer-parts.ts';

export interface SiteUpgrade {
  /** `none`: the site knows of none, for example since it began anew. */
  readonly state: 'none' | 'taking' | 'sending' | 'installing' | 'finished' | 'failed';
  readonly percent: number;
  readonly reason: UpgradeReason | null;
  /** As the device says after it; null before. */
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
  /** The file is whole and is sent to the device; 1003 where it is not what was announced. */
  upgradeRun: { input: OfDevice; output: Record<string, never> };
  upgradeStatus: { input: OfDevice; output: SiteUpgrade };
  /** 1006 where the device cannot be told to, 1012 while that disk is being emptied. */
  formatStart: { input: OfDevice & { channelNo: number; disk: string }; output: SiteFormat };
  formatStatus: { input: OfDevice & { disk: string }; output: SiteFormat };
  /** Switches an output, as if something had happened. */
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
