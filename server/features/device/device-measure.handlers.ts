// Handler of device/measure/list: what sites measure of devices, as far as the caller may see it.
import type { DeviceMeasure, deviceMeasureCalls } from '@vedette/contract/calls/device-measure.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import { CallError } from '../../core/call-error.ts';
import { channelsOnSites } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { devicesWhere, selectWithOrganization } from '../../database/device/device.queries.ts';
import type { SiteMeasures } from '../../health/site-measures.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { toDevice } from './device.facts.ts';

export interface DeviceMeasureDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly siteMeasures: SiteMeasures;
}

/** A site looks through its catalogue for an answer, which serves all who look at lists meanwhile. */
const VALID_MS = 20_000;

export function deviceMeasureHandlers(deps: DeviceMeasureDeps): Handlers<keyof typeof deviceMeasureCalls> {
  const { database, siteMeasures } = deps;
  const newest = new NewestRecordings(deps);
  return {
    'device/measure/list': async ({ input, rights, now }) => {
      const held = await rights();
      const visible = devicesWhere(database, visibleDevices(held, null));
      const query = visible.where('device.device_serial', 'in', input.deviceSerialList);
      const rows = await selectWithOrganization(query).orderBy('device.device_serial').execute();
      const channels = await channelsOnSites(
        database,
        rows.map(({ device_id }) => device_id),
      );
      const recorded = await newest.of([...new Set(channels.map(({ site_id }) => site_id))], now);
      const measureList = rows.map((row): DeviceMeasure => {
        const { channelNo, permission } = toDevice(row, held);
        const isWhole = channelNo === null;
        const own = channels.filter(({ device_id }) => device_id === row.device_id);
        const times = own.flatMap(({ channel_id, channel_no }) =>
          isWhole || channel_no === channelNo ? (recorded.get(channel_id) ?? []) : [],
        );
        return {
          deviceSerial: row.device_serial,
          kbps: isWhole ? siteMeasures.kbpsOf(row.device_serial, now) : null,
          onlineSince: row.status === DEVICE_STATUS.online ? row.status_at : null,
          lastRecordingAt: permission.includes('Replay') && times.length > 0 ? Math.max(...times) : null,
        };
      });
      return { measureList };
    },
  };
}

/** By channel, asked of each site once in a while. */
class NewestRecordings {
  readonly #deps: Pick<DeviceMeasureDeps, 'site'>;
  readonly #held = new Map<string, { readonly at: number; readonly times: Promise<ReadonlyMap<string, number>> }>();

  constructor(deps: Pick<DeviceMeasureDeps, 'site'>) {
    this.#deps = deps;
  }

  async of(siteIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
    const answers = await Promise.all(siteIds.map((siteId) => this.#ofSite(siteId, now)));
    return new Map(answers.flatMap((times) => [...times]));
  }

  #ofSite(siteId: string, now: number): Promise<ReadonlyMap<string, number>> {
    const held = this.#held.get(siteId);
    if (held !== undefined && Math.abs(now - held.at) < VALID_MS) return held.times;
    const times = this.#ask(siteId);
    this.#held.set(siteId, { at: now, times });
    return times;
  }

  /** Nothing of a site that is away, or of an earlier version. */
  async #ask(siteId: string): Promise<ReadonlyMap<string, number>> {
    const site = this.#deps.site.at(siteId);
    if (!site.isOnline()) return new Map();
    try {
      const { channels } = await site.call('storageUse', {});
      return new Map(channels.map(({ channelId, newestAt }) => [channelId, newestAt]));
    } catch (error) {
      if (error instanceof CallError) return new Map();
      this.#held.delete(siteId);
      throw error;
    }
  }
}
