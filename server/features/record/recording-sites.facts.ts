// Recordings of a channel at all sites that have or had its device, as one timeline.
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import {
  mergedGaps,
  mergedSpans,
  type PlacedSpan,
  type SiteRecordings,
  type SiteStay,
} from '@vedette/rules/recorder-group/merged-recordings.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { staysOfDevice } from '../../database/device/device-stay.queries.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';

export interface RecordingSitesDeps {
  readonly database: Database;
  readonly site: SitesPort;
}

type Gaps = SiteCalls['recordings']['output']['gaps'];
type Question = Pick<SiteCalls['recordings']['input'], 'channelId' | 'quality' | 'startTime' | 'endTime'>;

export interface RecordedAtSites {
  readonly spans: readonly PlacedSpan[];
  readonly gaps: Gaps;
}

/** Throws the refusal of the device's own site where none of its sites answers. */
export async function recordedAtSites(
  { database, site }: RecordingSitesDeps,
  device: AuthorizedDevice,
  question: Question,
): Promise<RecordedAtSites> {
  const stays = (await staysOfDevice(database, device.deviceId)).map(
    (row): SiteStay => ({ siteId: row.site_id, epoch: row.site_epoch, since: row.since, until: row.until }),
  );
  const siteIds = [...new Set([device.siteId, ...stays.map(({ siteId }) => siteId)])];
  const found = await Promise.all(
    siteIds.map((siteId) =>
      askedSite(
        site,
        { siteId, isOwner: siteId === device.siteId },
        async (port): Promise<SiteRecordings> => ({ siteId, ...(await port.call('recordings', question)) }),
      ),
    ),
  );
  const sites = found.filter((one): one is SiteRecordings => !(one instanceof CallError));
  const [ofOwner] = found;
  if (sites.length === 0 && ofOwner instanceof CallError) throw ofOwner;
  if (stays.length === 0) return { spans: mergedSpans(stays, sites), gaps: sites.flatMap(({ gaps }) => gaps) };
  const away = new Set(siteIds.filter((_, index) => found[index] instanceof CallError));
  return {
    spans: mergedSpans(stays, sites),
    gaps: mergedGaps(stays, { sites, away, range: question }),
  };
}

/** Its refusal where it is away; a site that has the device no more is not waited for. */
async function askedSite<T>(
  site: SitesPort,
  { siteId, isOwner }: { readonly siteId: string; readonly isOwner: boolean },
  ask: (port: SitePort) => Promise<T>,
): Promise<T | CallError> {
  const port = site.at(siteId);
  if (!isOwner && !port.isOnline()) return new CallError('devResponseTimeOut', { reason: 'siteAway' });
  try {
    return await ask(port);
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
}

/** Days with recordings at any of its sites; only its own is waited for, and has to answer. */
export async function recordedDays(
  { database, site }: RecordingSitesDeps,
  device: AuthorizedDevice,
  question: SiteCalls['recordingDays']['input'],
): Promise<readonly string[]> {
  const former = (await staysOfDevice(database, device.deviceId)).map((row) => row.site_id);
  const found = await Promise.all(
    [...new Set([device.siteId, ...former])].map((siteId) =>
      askedSite(site, { siteId, isOwner: siteId === device.siteId }, (port) => port.call('recordingDays', question)),
    ),
  );
  const [ofOwner] = found;
  if (ofOwner instanceof CallError) throw ofOwner;
  return found.flatMap((one) => (one instanceof CallError ? [] : one.days));
}

/** A window of recordings lies at one site: it ends where those of another one follow. */
export interface RecordingPlace {
  readonly siteId: string;
  readonly until: number;
}

export function placeOf(spans: readonly PlacedSpan[], startTime: number): RecordingPlace | null {
  const first = spans.find((span) => span.startTime <= startTime && startTime < span.endTime);
  if (first === undefined) return null;
  const other = spans.find((span) => span.startTime > startTime && span.siteId !== first.siteId);
  return { siteId: first.siteId, until: other?.startTime ?? Number.POSITIVE_INFINITY };
}
