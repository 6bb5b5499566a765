// Reads the streams of channels stored without any, once their device is online.
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import { channelsWithoutStreams, storeStreams } from '../database/device/channel.queries.ts';
import type { Database } from '../database/connection.ts';
import type { SitePort } from './site-port.ts';

export interface StreamRefreshDeps {
  readonly database: Database;
  readonly site: SitePort;
  readonly log: Logger;
}

/** One device that came online, or all of a site that connected. */
type Which = Parameters<typeof channelsWithoutStreams>[1];

/** Runs in the background; failures are retried when the device or site is back. */
export function learnStreams(deps: StreamRefreshDeps, which: Which): void {
  refreshStreams(deps, which).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'streams could not be refreshed');
  });
}

async function refreshStreams(deps: StreamRefreshDeps, which: Which): Promise<void> {
  for (const channel of await channelsWithoutStreams(deps.database, which)) {
    try {
      const named = { deviceSerial: channel.device_serial, channelNo: channel.channel_no };
      const { streams } = await deps.site.call('streams', named);
      if (streams.length > 0) await storeStreams(deps.database, channel.channel_id, streams);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      deps.log.info(
        { deviceSerial: channel.device_serial, code: error.code },
        'the streams of a device are not known yet',
      );
    }
  }
}
