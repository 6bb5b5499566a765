// Handlers of recordings: calendar, spans, and the addresses of a window of at most 600 seconds.
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import type { RecordedSpan } from '@vedette/contract/site.ts';
import type { AuthorisedDevice } from '../../auth/may.ts';
import { CallError, fieldError } from '../../call-error.ts';
import { findChannel } from '../../database/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findRecordPlan } from '../../database/record-plan.queries.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import type { TicketOffice } from '../../tickets/ticket-office.ts';
import { fragmentsUrl, hlsUrl } from '../../tickets/media-addresses.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { dailyFlags, isTimeZone, monthRange } from './calendar.ts';

export interface RecordParts {
  readonly database: Database;
  readonly site: SitePort;
  readonly tickets: TicketOffice;
  /** Zone of this installation, where neither caller nor device names one. */
  readonly timeZone: string;
}

type RecordPath = 'record/calendar' | 'record/query' | 'record/time' | 'record/hls' | 'record/url';
const QUALITIES = [0, 1, 2] as const;
type Quality = (typeof QUALITIES)[number];

const WINDOW_MAX_MS = PLAYBACK_WINDOW_S * 1000;
const QUERY_MAX_MS = 366 * 24 * 3600 * 1000;

export function recordHandlers(parts: RecordParts): Handlers<RecordPath> {
  return {
    'record/calendar': async ({ input, device }) => {
      if (input.timeZone !== undefined && !isTimeZone(input.timeZone)) throw fieldError({ timeZone: 'format' });
      if (input.srcType === RECORD_SOURCE.cloud) return { dailyList: dailyFlags([], input.year, input.month) };
      const channelId = await channelIdOf(parts.database, device, input.channelNo);
      const timeZone = input.timeZone ?? (await zoneOf(parts, device, input.channelNo));
      const range = monthRange(input.year, input.month);
      // A day counts whichever stream of the channel was recorded.
      const found = await Promise.all(
        QUALITIES.map((quality) => parts.site.call('recordingDays', { channelId, quality, ...range, timeZone })),
      );
      const days = found.flatMap((one) => one.days);
      return { dailyList: dailyFlags(days, input.year, input.month) };
    },
    'record/query': async ({ input, device }) => {
      refuseBadRange(input, QUERY_MAX_MS);
      if (input.srcType === RECORD_SOURCE.cloud) return { total: 0, recordList: [], gapList: [] };
      const { spans, gaps } = await recordedOf(parts, device, input);
      return { total: spans.length, recordList: spans.map(toItem), gapList: [...gaps] };
    },
    'record/time': async ({ input, device }) => {
      refuseBadRange(input, QUERY_MAX_MS);
      const all = await recordItems(parts, device, input);
      const recordList =
        input.recordType === undefined ? all : all.filter((item) => item.recordType === input.recordType);
      return { total: recordList.length, recordList, code: ERROR_CODES.success };
    },
    'record/hls': async ({ input, device, principal, origin }) => {
      const { ticket, range } = await openWindow(parts, 'hls', input, device, principal);
      return { url: hlsUrl(origin, ticket), ...range };
    },
    'record/url': async ({ input, device, principal, origin }) => {
      const { ticket, range } = await openWindow(parts, 'fragments', input, device, principal);
      return { url: fragmentsUrl(origin, ticket), ...range };
    },
  };
}

interface Window {
  readonly channelNo: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly quality: Quality;
  readonly recordType?: number | undefined;
}

/** Throws 1007 where the window holds no footage, 1003 where it is longer than 600 s or runs backwards. */
async function openWindow(
  parts: RecordParts,
  kind: 'hls' | 'fragments',
  input: Window,
  device: AuthorisedDevice,
  principal: SignedInContext['principal'],
): Promise<{ ticket: string; range: { startTime: number; endTime: number } }> {
  refuseBadRange(input, WINDOW_MAX_MS);
  const { spans } = await recordedOf(parts, device, input);
  const wanted = input.recordType === undefined ? spans : spans.filter((span) => span.recordType === input.recordType);
  if (wanted.length === 0) throw new CallError('notFound');
  const range = { startTime: input.startTime, endTime: input.endTime };
  const { ticket } = await parts.tickets.issue({
    kind,
    action: 'Replay',
    principal,
    device,
    channelNo: input.channelNo,
    quality: input.quality,
    range,
    probeId: null,
  });
  return { ticket, range };
}

async function recordItems(parts: RecordParts, device: AuthorisedDevice, input: Window & { srcType: number }) {
  if (input.srcType === RECORD_SOURCE.cloud) return [];
  return (await recordedOf(parts, device, input)).spans.map(toItem);
}

function toItem({ startTime, endTime, recordType }: RecordedSpan) {
  return { startTime, endTime, srcType: RECORD_SOURCE.local, recordType };
}

async function recordedOf(parts: RecordParts, device: AuthorisedDevice, input: Window) {
  const channelId = await channelIdOf(parts.database, device, input.channelNo);
  const { quality, startTime, endTime } = input;
  return await parts.site.call('recordings', { channelId, quality, startTime, endTime });
}

function refuseBadRange(input: { startTime: number; endTime: number }, maxMs: number): void {
  if (input.startTime < 0) throw fieldError({ startTime: 'tooSmall' });
  if (input.endTime <= input.startTime) throw fieldError({ endTime: 'tooSmall' });
  if (input.endTime - input.startTime > maxMs) throw fieldError({ endTime: 'tooBig' });
}

async function zoneOf(parts: RecordParts, device: AuthorisedDevice, channelNo: number): Promise<string> {
  return (await findRecordPlan(parts.database, device.deviceId, channelNo))?.time_zone ?? parts.timeZone;
}

async function channelIdOf(database: Database, device: AuthorisedDevice, channelNo: number): Promise<string> {
  const channel = await findChannel(database, device.deviceId, channelNo);
  if (channel === undefined) throw new CallError('devNotExist');
  return channel.channel_id;
}
