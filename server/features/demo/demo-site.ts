// Adds the demo devices for the first administrator through the normal path; resumes after a restart.
import type { SiteCandidate } from '@vedette/contract/site/site.ts';
import { unaskedAddress } from '@vedette/drivers/addresses.ts';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { withoutRequestDeadline } from '../../database/request-deadline.ts';
import type { Database } from '../../database/connection.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { readSetting, writeSetting } from '../../database/account/setting.queries.ts';
import { ensureOrganizations } from './demo-tree.ts';
import { type ReadyDevice, readReadyDevices } from './ready-devices.ts';

/** What the demo uses of the device module. */
export interface DemoAdder {
  add(order: DemoOrder): Promise<string>;
  addCandidate(
    order: DemoOrder,
    from: { target: string; user: string; password: string },
    candidate: SiteCandidate,
  ): Promise<string>;
}

interface DemoOrder {
  readonly rights: Rights;
  readonly ownerId: string;
  readonly organization: OrganizationRow | null;
  readonly target: string;
  readonly user: string;
  readonly password: string;
  readonly deviceName: string;
  readonly deviceType?: number | undefined;
  readonly isOperator: boolean;
  readonly backfillFrom: number | null;
}

export interface DemoSiteOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly adder: DemoAdder;
  readonly rightsOf: (accountId: string) => Promise<Rights>;
  readonly file: string;
  /** Recordings from so long before are copied from the devices. Six hours take a core a minute, a day takes four. */
  readonly historyMs: number;
}

const SETTING = 'demo';
const State = z.object({ ownerId: z.string(), addedNames: z.array(z.string()) });
type State = z.infer<typeof State>;
const AT_ONCE = 6;
const AGAIN_AFTER_MS = 2000;

export class DemoSite {
  readonly #options: DemoSiteOptions;
  #isRunning = false;
  #cancelAgain: (() => void) | null = null;

  constructor(options: DemoSiteOptions) {
    this.#options = options;
  }

  /** Called once the first administrator exists. */
  async begin(ownerId: string): Promise<void> {
    await writeSetting(this.#options.database, SETTING, { ownerId, addedNames: [] } satisfies State);
    withoutRequestDeadline(() => this.resume());
  }

  /** Called when the site is connected. Does nothing during a round or before `begin`. */
  resume(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#cancelAgain?.();
    void this.#addMissing()
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'the demo site could not be made');
        return false;
      })
      .then((isDone) => {
        this.#isRunning = false;
        if (!isDone) this.#cancelAgain = this.#options.clock.after(AGAIN_AFTER_MS, () => this.resume());
      });
  }

  close(): void {
    this.#cancelAgain?.();
    this.#isRunning = true;
  }

  /** True when everything has been added. */
  async #addMissing(): Promise<boolean> {
    const stored = await readSetting(this.#options.database, SETTING);
    if (stored === undefined) return true;
    const state = State.parse(stored.value);
    const devices = await readReadyDevices(this.#options.file);
    const missing = devices.filter((device) => !state.addedNames.includes(device.name));
    if (missing.length === 0) return true;
    const rights = await this.#options.rightsOf(state.ownerId);
    const places = await this.#organizations(state.ownerId, missing);
    const added: string[] = [];
    const waiting = missing.map((device) => ({ device, organization: places.get(organizationKey(device)) ?? null }));
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (await this.#addOne(next.device, next.organization, rights)) added.push(next.device.name);
        }
      }),
    );
    // A deleted device is not added again: its name is remembered.
    await writeSetting(this.#options.database, SETTING, { ...state, addedNames: [...state.addedNames, ...added] });
    return added.length === missing.length;
  }

  async #organizations(ownerId: string, devices: readonly ReadyDevice[]): Promise<Map<string, OrganizationRow | null>> {
    const places = new Map<string, OrganizationRow | null>();
    for (const device of devices) {
      const key = organizationKey(device);
      if (places.has(key)) continue;
      const now = this.#options.clock.wallMs();
      places.set(key, await ensureOrganizations(this.#options.database, ownerId, device.organization, now));
    }
    return places;
  }

  async #addOne(device: ReadyDevice, organization: OrganizationRow | null, rights: Rights): Promise<boolean> {
    const { target, user, password, name } = device;
    const order: DemoOrder = {
      rights,
      ownerId: rights.subject.userId,
      organization,
      target,
      user,
      password,
      deviceName: name,
      isOperator: true,
      backfillFrom: this.#options.clock.wallMs() - this.#options.historyMs,
    };
    try {
      if (device.kind === 'offline') await this.#options.adder.addCandidate(order, device, silentCandidate(device));
      else await this.#options.adder.add(order);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const isThere = error.message === 'exitDev';
      if (!isThere) this.#options.log.warn({ device: name, code: error.code }, 'a demo device could not be added yet');
      return isThere;
    }
  }
}

function organizationKey(device: ReadyDevice): string {
  return JSON.stringify(device.organization);
}

/** The offline camera is stored by address alone, as after a power cut. */
function silentCandidate(device: ReadyDevice): SiteCandidate {
  return {
    probeId: '',
    ...unaskedAddress(device.target),
    deviceSerial: '',
    deviceName: device.name,
    deviceType: 0,
    manufacturer: '',
    deviceModel: '',
    deviceVersion: '',
    address: URL.parse(device.target)?.host ?? '',
    channels: [{ channelNo: 1, channelName: device.name, streams: [] }],
    capabilities: [],
    warnings: [],
  };
}
