// Firmware part of the scripted site: stores every byte, and reports what the test sets.
import type { SiteUpgrade } from '@vedette/contract/site/site-device-maintenance.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';

type Input<N extends keyof SiteCalls> = SiteCalls[N]['input'];

export class ScriptedFirmware {
  /** By device. */
  readonly files = new Map<string, Buffer[]>();
  readonly begun: Input<'upgradeBegin'>[] = [];
  readonly ran: string[] = [];
  readonly switched: Input<'outputSwitch'>[] = [];
  status: SiteUpgrade = { state: 'taking', percent: 0, reason: null, version: null };
  /** Of a device of its own, whatever it is. */
  readonly statusOf = new Map<string, unknown>();

  readonly answers = {
    upgradeBegin: (given: Input<'upgradeBegin'>) => {
      this.begun.push(given);
      this.files.set(given.deviceSerial, []);
      return {};
    },
    upgradePart: (given: Input<'upgradePart'>) => {
      this.files.get(given.deviceSerial)?.push(Buffer.from(given.data, 'base64'));
      return {};
    },
    upgradeRun: (given: Input<'upgradeRun'>) => {
      this.ran.push(given.deviceSerial);
      this.status = { state: 'sending', percent: 0, reason: null, version: null };
      return {};
    },
    upgradeStatus: ({ deviceSerial }: Input<'upgradeStatus'>) =>
      this.statusOf.has(deviceSerial) ? (this.statusOf.get(deviceSerial) as SiteUpgrade) : this.status,
    formatStart: () => ({ state: 'running', percent: 0, code: null, data: null }),
    formatStatus: () => ({ state: 'finished', percent: 100, code: null, data: null }),
    outputSwitch: (given: Input<'outputSwitch'>) => {
      this.switched.push(given);
      return {};
    },
  };
}
