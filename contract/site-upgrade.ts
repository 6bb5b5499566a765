// What the server asks of the site for work that takes a device minutes: new firmware, and emptying a disk.
import type { UpgradeReason } from './calls/upgrade.ts';

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

export interface UpgradeCalls {
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
