// Adds a device: probes it through the site, checks ownership, stores it with its channels, and assigns it to the site.
import { CHANNEL_TYPE, DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { ChannelAssignment, SiteCandidate } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { insertChannels, type NewChannel } from '../../database/device/channel.queries.ts';
import { lockReportedSerial } from '../../database/device/reported-serial.queries.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { refuseExceeded, refuseItemOverLimit, reserveQuota } from '../../quota/reserve-quota.ts';
import { sealSecrets } from '../../site-link/device-secrets.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { cleanName, cleanText, hostOf, serialOf, splitTarget, type Target } from './device-candidate.facts.ts';
import { chooseSerial } from './device-naming.ts';
import {
  areSameDevices,
  networkAddressOf,
  type OwnershipCheckDeps,
  refuseOwned,
  type ReportedDevice,
  type RegisteredDevices,
  registeredDevices,
} from './device-ownership-check.ts';

export interface DeviceOrder {
  /** The adder, for the refusal of an existing device. */
  readonly rights: Rights;
  readonly ownerId: string;
  readonly organization: OrganizationRow | null;
  readonly target: string;
  readonly user: string;
  readonly password: string;
  readonly deviceName: string;
  readonly deviceType?: number | undefined;
  readonly isOperator: boolean;
  /** The local site if absent; the caller has checked access. */
  readonly siteId?: string;
  readonly backfillFrom: number | null;
  /** Part of a batch: the caller notifies pages occasionally instead of per device. */
  readonly isOneOfMany?: boolean;
}

export interface DeviceAdderDeps extends OwnershipCheckDeps {
  readonly clock: Clock;
  readonly attempts: AttemptLimiter;
  readonly hub: RealtimeHub;
}

/** Facts that the name was chosen by, to be checked when storing. */
interface Naming {
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly reported: ReportedDevice;
  readonly registered: RegisteredDevices;
}

/** Each conflict means that another caller succeeded, so retries are bounded. */
const STORED_TRIES = 32;
const RECORDED_QUALITY: NonNullable<ChannelAssignment['record']>['quality'] = 0;

export class DeviceAdder {
  readonly #deps: DeviceAdderDeps;

  constructor(deps: DeviceAdderDeps) {
    this.#deps = deps;
  }

  /** Returns its serial. Throws 1011 over the quota, 2024, 2029 or 1008 for an existing device, and errors of the site. */
  async add(order: DeviceOrder): Promise<string> {
    const { database, clock } = this.#deps;
    // Checked before connecting: without quota the answer is useless.
    await refuseExceeded(database, {
      accountId: order.ownerId,
      now: clock.wallMs(),
      take: { devices: 1, channels: 1 },
    });
    const from = splitTarget(order.target, order.user, order.password);
    const candidate = await this.#probe(order, from);
    if (candidate.channels.length === 0) throw new CallError('devInternalErr', { reason: 'noVideo' });
    return await this.#addReported(order, from, candidate, reportedDevice(order, candidate, true));
  }

  /** Stores an unprobed device: the demo's offline camera, a row of a file. No ownership check. */
  async addCandidate(order: DeviceOrder, from: Target, candidate: SiteCandidate): Promise<string> {
    return await this.#addReported(order, from, candidate, reportedDevice(order, candidate, false));
  }

  /** Probes and refuses like `add`, without adding; returns the reported serial. */
  async check(order: DeviceOrder, from: Target): Promise<string> {
    const reported = reportedDevice(order, await this.#probe(order, from), true);
    await refuseOwned(this.#deps, order.rights, reported, await registeredDevices(this.#deps, reported));
    return reported.serial;
  }

  async #probe(order: DeviceOrder, from: Target): Promise<SiteCandidate> {
    const site = this.#deps.site.at(order.siteId ?? LOCAL_SITE);
    return await site.call('probe', { ...from, isOperator: order.isOperator });
  }

  async #addReported(
    order: DeviceOrder,
    from: Target,
    candidate: SiteCandidate,
    reported: ReportedDevice,
  ): Promise<string> {
    const deviceId = newId();
    let collisions = 0;
    for (let tries = 0; tries < STORED_TRIES; tries += 1) {
      const registered = await registeredDevices(this.#deps, reported);
      await refuseOwned(this.#deps, order.rights, reported, registered);
      await refuseItemOverLimit(this.#deps.database, order.ownerId, 'channelsPerDevice', candidate.channels.length);
      const deviceSerial = await chooseSerial(this.#deps.attempts, reported, registered.isSerialUsed, collisions);
      try {
        if (!(await this.#store(order, from, candidate, { deviceId, deviceSerial, reported, registered }))) continue;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        collisions += 1;
        continue;
      }
      await this.#deps.assignmentSync.deviceChanged(deviceId, deviceSerial);
      if (order.isOneOfMany !== true) this.publish(order, deviceId);
      return deviceSerial;
    }
    throw new CallError('serviceBusy');
  }

  /** False if another caller was faster and the facts changed. */
  async #store(order: DeviceOrder, from: Target, candidate: SiteCandidate, naming: Naming): Promise<boolean> {
    const { deviceId, deviceSerial, reported } = naming;
    const take = { devices: 1, channels: candidate.channels.length };
    return await this.#deps.database.transaction().execute(async (transaction) => {
      await lockReportedSerial(transaction, reported.serial);
      const standing = await registeredDevices({ ...this.#deps, database: transaction }, reported);
      if (!areSameDevices(standing, naming.registered)) return false;
      await reserveQuota(transaction, { accountId: order.ownerId, now: this.#deps.clock.wallMs(), take });
      await transaction
        .insertInto('device')
        .values({
          device_id: deviceId,
          owner_id: order.ownerId,
          device_serial: deviceSerial,
          reported_serial: deviceSerial === reported.serial ? null : reported.serial,
          device_name: order.deviceName,
          device_type: order.deviceType ?? candidate.deviceType,
          device_model: cleanText(candidate.deviceModel),
          device_version: cleanText(candidate.deviceVersion),
          manufacturer: cleanText(candidate.manufacturer),
          organization_id: order.organization?.organization_id ?? null,
          driver: candidate.driver,
          address: hostOf(candidate.address),
          device_user_name: from.user,
          credentials: sealSecrets(this.#deps.box, deviceId, { ...from, native: candidate.native }),
          is_operator_address: order.isOperator,
          site_id: order.siteId ?? LOCAL_SITE,
          capabilities: JSON.stringify(candidate.capabilities),
          created_at: this.#deps.clock.wallMs(),
        })
        .execute();
      await insertChannels(transaction, newChannels(order, candidate, deviceId));
      return true;
    });
  }

  /** Makes pages that see it fetch their lists again. */
  publish(order: Pick<DeviceOrder, 'ownerId' | 'organization'>, deviceId: string): void {
    const object = {
      kind: 'device',
      ownerId: order.ownerId,
      organizationPath: order.organization?.path ?? [],
      deviceId,
    } as const;
    this.#deps.hub.pushAbout({ kind: 'resourcesChanged' }, object);
  }
}

function reportedDevice(order: DeviceOrder, candidate: SiteCandidate, isProved: boolean): ReportedDevice {
  return {
    ownerId: order.ownerId,
    siteId: order.siteId ?? LOCAL_SITE,
    serial: serialOf(candidate),
    networkAddress: networkAddressOf(candidate, hostOf(candidate.address)),
    isProved,
  };
}

function newChannels(order: DeviceOrder, candidate: SiteCandidate, deviceId: string): NewChannel[] {
  const isSingle = candidate.channels.length === 1;
  const isRadar = (order.deviceType ?? candidate.deviceType) === DEVICE_TYPE.RADAR;
  return candidate.channels.map((channel) => ({
    channelId: newId(),
    deviceId,
    channelNo: channel.channelNo,
    channelName: isSingle
      ? order.deviceName
      : cleanName(channel.channelName, `${order.deviceName} ${channel.channelNo}`.slice(0, 64)),
    channelType: isRadar || channel.channelType === CHANNEL_TYPE.radar ? CHANNEL_TYPE.radar : CHANNEL_TYPE.video,
    streams: channel.streams,
    recordQuality: RECORDED_QUALITY,
    backfillFrom: order.backfillFrom,
  }));
}
