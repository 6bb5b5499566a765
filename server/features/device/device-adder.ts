// Adds a device: looks at it through the site, refuses one that is there already, stores it with its channels, and hands it to the site.
import { CHANNEL_TYPE, DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { ChannelAssignment, SiteCandidate } from '@vedette/contract/site.ts';
import { LOCAL_SITE } from '@vedette/contract/site-far.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import type { Rights } from '../../auth/rights.ts';
import { deviceObject } from '../../auth/may.ts';
import { CallError } from '../../call-error.ts';
import type { Clock } from '../../clock/clock.ts';
import { insertChannels, type NewChannel } from '../../database/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDeviceFacts } from '../../database/device.queries.ts';
import type { OrganizationRow } from '../../database/schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import { newId } from '../../randomness.ts';
import { refuseFull, refuseLarger, takeWithin } from '../../quotas/take-within.ts';
import { sealSecrets } from '../../site-link/device-secrets.ts';
import type { SiteKeeper } from '../../site-link/site-keeper.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { cleanName, cleanText, hostOf, serialOf, splitTarget, type Target } from './device-candidate.facts.ts';

export interface DeviceOrder {
  /** Who adds it, for the refusal of one that is there already. */
  readonly rights: Rights;
  readonly ownerId: string;
  readonly organization: OrganizationRow | null;
  readonly target: string;
  readonly user: string;
  readonly password: string;
  readonly deviceName: string;
  readonly deviceType?: number | undefined;
  readonly isOperator: boolean;
  /** The site beside the server where it is absent; the caller has asked whether it may be used. */
  readonly siteId?: string;
  readonly backfillFrom: number | null;
  /** One of many: whoever adds them tells the pages now and then, instead of for each. */
  readonly isOneOfMany?: boolean;
}

export interface DeviceAdderParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly site: SitesPort;
  readonly keeper: SiteKeeper;
  readonly hub: RealtimeHub;
}

const RECORDED_QUALITY: NonNullable<ChannelAssignment['record']>['quality'] = 0;

export class DeviceAdder {
  readonly #parts: DeviceAdderParts;

  constructor(parts: DeviceAdderParts) {
    this.#parts = parts;
  }

  /** Answers the serial. Throws 1011 where the owner has too many, 2024, 2029 or 1008 for one that is there, and what the site answered. */
  async add(order: DeviceOrder): Promise<string> {
    const { database, clock } = this.#parts;
    // Before anything is dialled: a full account has no use for the answer.
    await refuseFull(database, { accountId: order.ownerId, now: clock.now(), take: { devices: 1, channels: 1 } });
    const from = splitTarget(order.target, order.user, order.password);
    const site = this.#parts.site.at(order.siteId ?? LOCAL_SITE);
    const candidate = await site.call('probe', { ...from, isOperator: order.isOperator });
    if (candidate.channels.length === 0) throw new CallError('devInternalErr', { reason: 'noVideo' });
    return await this.addCandidate(order, from, candidate);
  }

  /** Also for a device that could not be looked at: the demo's offline camera is stored by its address alone. */
  async addCandidate(order: DeviceOrder, from: Target, candidate: SiteCandidate): Promise<string> {
    const deviceSerial = serialOf(candidate);
    await this.refuseExisting(order, deviceSerial);
    await refuseLarger(this.#parts.database, order.ownerId, 'channelsPerDevice', candidate.channels.length);
    const deviceId = newId();
    try {
      await this.#store(order, from, candidate, { deviceId, deviceSerial });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await this.refuseExisting(order, deviceSerial);
      throw error;
    }
    await this.#parts.keeper.deviceChanged(deviceId, deviceSerial);
    if (order.isOneOfMany !== true) this.tell(order, deviceId);
    return deviceSerial;
  }

  /** Throws 2024, 2029 or 1008 for a serial that is there. */
  async refuseExisting(order: Pick<DeviceOrder, 'rights' | 'ownerId'>, deviceSerial: string): Promise<void> {
    const facts = await findDeviceFacts(this.#parts.database, deviceSerial, undefined);
    if (facts === undefined) return;
    if (facts.ownerId === order.ownerId) throw new CallError('exitDev');
    const { subject, grants, now } = order.rights;
    const decision = decide({ subject, grants, now, action: null, object: deviceObject(facts, undefined) });
    throw new CallError(decision.allowed ? 'exitShareDev' : 'ownership');
  }

  async #store(
    order: DeviceOrder,
    from: Target,
    candidate: SiteCandidate,
    ids: { deviceId: string; deviceSerial: string },
  ): Promise<void> {
    const take = { devices: 1, channels: candidate.channels.length };
    await this.#parts.database.transaction().execute(async (transaction) => {
      await takeWithin(transaction, { accountId: order.ownerId, now: this.#parts.clock.now(), take });
      await transaction
        .insertInto('device')
        .values({
          device_id: ids.deviceId,
          owner_id: order.ownerId,
          device_serial: ids.deviceSerial,
          device_name: order.deviceName,
          device_type: order.deviceType ?? candidate.deviceType,
          device_model: cleanText(candidate.deviceModel),
          device_version: cleanText(candidate.deviceVersion),
          manufacturer: cleanText(candidate.manufacturer),
          organization_id: order.organization?.organization_id ?? null,
          driver: candidate.driver,
          address: hostOf(candidate.address),
          device_user_name: from.user,
          credentials: sealSecrets(this.#parts.box, ids.deviceId, { ...from, native: candidate.native }),
          is_operator_address: order.isOperator,
          site_id: order.siteId ?? LOCAL_SITE,
          capabilities: JSON.stringify(candidate.capabilities),
          created_at: this.#parts.clock.now(),
        })
        .execute();
      await insertChannels(transaction, newChannels(order, candidate, ids.deviceId));
    });
  }

  /** The pages of those who may see it fetch their lists again. */
  tell(order: Pick<DeviceOrder, 'ownerId' | 'organization'>, deviceId: string): void {
    const object = {
      kind: 'device',
      ownerId: order.ownerId,
      organizationPath: order.organization?.path ?? [],
      deviceId,
    } as const;
    this.#parts.hub.pushAbout({ kind: 'resourcesChanged' }, object);
  }
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
