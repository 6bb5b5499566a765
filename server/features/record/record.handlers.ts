// Handlers of recordings: calendar, ranges, and addresses of a window of at most 600 seconds.
import type { RecordItem } from '@vedette/contract/entities.ts';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findRecordPlan } from '../../database/media/record-plan.queries.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import type { TicketIssuer, TicketRequest } from '../../ticket/ticket-issuer.ts';
import { fragmentsUrl, hlsUrl } from '../../ticket/media-urls.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { deviceDays, deviceSpans, mergedItems, toRecordItem } from './device-recordings.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { dailyFlags, monthRange } from './calendar.ts';
import { placeOf, recordedAtSites, recordedDays, type RecordingPlace } from './recording-sites.facts.ts';

export interface RecordDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
  /** Zone of this installation, where neither caller nor device names one. */
  readonly timeZone: string;
}

type RecordPath = 'record/calendar' | 'record/query' | 'record/time' | 'record/hls' | 'record/url';
const QUALITIES = [0, 1, 2] as const;
type Quality = (typeof QUALITIES)[number];

const WINDOW_MAX_MS = PLAYBACK_WINDOW_S * 1000;
const QUERY_MAX_MS = 366 * 24 * 3600 * 1000;
const NOTHING = { spans: [], gaps: [] } as const;

export function recordHandlers(deps: RecordDeps): Handlers<RecordPath> {
  return {
    'record/calendar': async ({ input, device }) => {
      if (input.timeZone !== undefined && !isTimeZone(input.timeZone)) throw fieldError({ timeZone: 'format' });
      const channelId = await channelIdOf(deps.database, device, input.channelNo);
      const timeZone = input.timeZone ?? (await zoneOf(deps, device, input.channelNo));
      const range = monthRange(input.year, input.month);
      const { srcType, channelNo } = input;
      const [own, theirs] = await Promise.all([
        srcType === RECORD_SOURCE.local ? [] : ownDays(deps, device, { channelId, ...range, timeZone }),
        deviceDays(deps.site, device, { srcType, channelNo, ...range, timeZone }),
      ]);
      return { dailyList: dailyFlags([...own, ...theirs], input.year, input.month) };
    },
    'record/query': async ({ input, device }) => {
      const { items, gaps } = await recordItems(deps, device, input);
      return { total: items.length, recordList: items, gapList: [...gaps] };
    },
    'record/time': async ({ input, device }) => {
      const { items } = await recordItems(deps, device, input);
      const recordList =
        input.recordType === undefined ? items : items.filter((item) => item.recordType === input.recordType);
      return { total: recordList.length, recordList, code: ERROR_CODES.success };
    },
    'record/hls': async ({ input, device, principal, origin }) => {
      const { ticket, ...window } = await openWindow(deps, 'hls', { input, device, principal });
      return { url: hlsUrl(origin, ticket), ...window };
    },
    'record/url': async ({ input, device, principal, origin }) => {
      const { ticket, ...window } = await openWindow(deps, 'fragments', { input, device, principal });
      return { url: fragmentsUrl(origin, ticket), ...window };
    },
  };
}

interface Window {
  readonly channelNo: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly quality: Quality;
  readonly srcType: number;
  readonly recordType?: number | undefined;
}

interface WindowRequest {
  readonly input: Window;
  readonly device: AuthorizedDevice;
  readonly principal: SignedInContext['principal'];
}

/** Throws 1007 where the window holds no recordings, 1003 where it is longer than 600 s or runs backwards. */
async function openWindow(
  deps: RecordDeps,
  kind: 'hls' | 'fragments',
  { input, device, principal }: WindowRequest,
): Promise<{ ticket: string; startTime: number; endTime: number; srcType: number }> {
  refuseBadRange(input, WINDOW_MAX_MS);
  const { items, spans } = await recordItems(deps, device, input);
  const wanted = input.recordType === undefined ? items : items.filter((item) => item.recordType === input.recordType);
  const [first] = wanted;
  if (first === undefined) throw new CallError('notFound');
  // A playlist is of one kind of recordings, that of the first record: it ends where the other kind begins.
  const other = kind === 'hls' ? wanted.find(({ srcType }) => srcType !== first.srcType) : undefined;
  const { siteId, until } = placeOf(spans, Math.max(first.startTime, input.startTime)) ?? ownPlace(device);
  const range = { startTime: input.startTime, endTime: Math.min(other?.startTime ?? until, until, input.endTime) };
  // Only the site that has the device reads its storage.
  const asksDevice = siteId === device.siteId;
  const recordingSource = asksDevice ? recordingSourceOf(other === undefined ? wanted : [first]) : undefined;
  const { ticket } = await deps.tickets.issue({
    kind,
    action: 'Replay',
    principal,
    device,
    channelNo: input.channelNo,
    quality: input.quality,
    range,
    probeId: null,
    siteId,
    ...(recordingSource && { recordingSource }),
  });
  return { ticket, ...range, srcType: recordingSource === 'device' ? RECORD_SOURCE.local : RECORD_SOURCE.cloud };
}

/** Of what no site has recorded. */
function ownPlace({ siteId }: AuthorizedDevice): RecordingPlace {
  return { siteId, until: Number.POSITIVE_INFINITY };
}

function recordingSourceOf(items: readonly RecordItem[]): TicketRequest['recordingSource'] {
  const has = (source: number): boolean => items.some(({ srcType }) => srcType === source);
  if (!has(RECORD_SOURCE.local)) return undefined;
  return has(RECORD_SOURCE.cloud) ? 'both' : 'device';
}

/** Ours, the device's, or with `auto` the device's where we have none. */
async function recordItems(deps: RecordDeps, device: AuthorizedDevice, input: Window) {
  refuseBadRange(input, QUERY_MAX_MS);
  const { srcType } = input;
  const isOwnWanted = srcType !== RECORD_SOURCE.local;
  const { spans, gaps } = isOwnWanted ? await recordedOf(deps, device, input) : NOTHING;
  const own = spans.map(toRecordItem);
  return { items: mergedItems(own, await deviceSpans(deps.site, device, { ...input, own })), gaps, spans };
}

async function ownDays(
  deps: RecordDeps,
  device: AuthorizedDevice,
  question: { channelId: string; startTime: number; endTime: number; timeZone: string },
): Promise<readonly string[]> {
  // A day counts whichever stream of the channel was recorded.
  const found = await Promise.all(QUALITIES.map((quality) => recordedDays(deps, device, { ...question, quality })));
  return found.flat();
}

async function recordedOf(deps: RecordDeps, device: AuthorizedDevice, input: Window) {
  const channelId = await channelIdOf(deps.database, device, input.channelNo);
  const { quality, startTime, endTime } = input;
  return await recordedAtSites(deps, device, { channelId, quality, startTime, endTime });
}

function refuseBadRange(input: { startTime: number; endTime: number }, maxMs: number): void {
  if (input.startTime < 0) throw fieldError({ startTime: 'tooSmall' });
  if (input.endTime <= input.startTime) throw fieldError({ endTime: 'tooSmall' });
  if (input.endTime - input.startTime > maxMs) throw fieldError({ endTime: 'tooBig' });
}

async function zoneOf(deps: RecordDeps, device: AuthorizedDevice, channelNo: number): Promise<string> {
  return (await findRecordPlan(deps.database, device.deviceId, channelNo))?.time_zone ?? deps.timeZone;
}

async function channelIdOf(database: Database, device: AuthorizedDevice, channelNo: number): Promise<string> {
  return requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist').channel_id;
}
