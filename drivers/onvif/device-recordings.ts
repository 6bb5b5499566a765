// Edge recordings of a device (ONVIF profile G): the spans of a channel, and where to replay them.
import {
  endSearch,
  findEvents,
  findRecordings,
  getEventSearchResults,
  getRecordingSearchResults,
  getReplayUri,
} from '@vedette/protocols/onvif/recording-operations.ts';
import { topicNamespace } from '@vedette/protocols/onvif/namespaces.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { RecordedSpan, ReplaySource } from '../kit/driver.ts';
import type { PlannedChannel } from './session/channel-plan.ts';
import { streamUrl } from './session/device-address.ts';
import type { OnvifSession } from './session/onvif-session.ts';
import { type TrackState, spansOf } from './recorded-spans.ts';

type Recording = TypeOf<(typeof getRecordingSearchResults)['response']>['ResultList']['RecordingInformation'][number];

/** The list is shared by searches of all channels. */
const listKeptMs = 5000;
const maxPages = 50;
const pageSize = 100;

export class DeviceRecordings {
  readonly #session: OnvifSession;
  readonly #channelCount: number;
  #list: { readonly atMs: number; readonly found: Promise<readonly Recording[]> } | null = null;

  constructor(session: OnvifSession, channelCount: number) {
    this.#session = session;
    this.#channelCount = channelCount;
  }

  async spans(
    channel: PlannedChannel,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<readonly RecordedSpan[]> {
    const recording = await this.#recordingOf(channel, signal);
    if (recording === null) return [];
    const states = await this.#trackStates(recording, from, to, signal);
    const whole = { from: recording.EarliestRecording ?? from, to: recording.LatestRecording ?? to };
    return spansOf(whole, states, { from, to });
  }

  async replay(channel: PlannedChannel, from: number, to: number, signal?: AbortSignal): Promise<ReplaySource> {
    const recording = await this.#recordingOf(channel, signal);
    if (recording === null) throw new DeviceFault('not-found', 'the device keeps no recording of this channel');
    const request = { StreamSetup: unicast, RecordingToken: recording.RecordingToken };
    const { Uri } = await this.#session.call(getReplayUri, request, signal);
    const url = streamUrl(this.#session.device, Uri);
    if (url === null) throw new DeviceFault('device', 'the replay address is no RTSP URL', { fault: 'bad replay URI' });
    return { kind: 'rtsp-replay', url, credentials: this.#session.credentials, from, to };
  }

  async #recordingOf(channel: PlannedChannel, signal?: AbortSignal): Promise<Recording | null> {
    const found = await this.#recordings(signal);
    const named = found.find(({ Source }) => Source?.SourceId === channel.sourceToken);
    if (named !== undefined) return named;
    // Devices that misuse SourceId list one recording per channel, in channel order.
    return found.length === this.#channelCount ? (found[channel.channelNo - 1] ?? null) : null;
  }

  /** If the first caller aborts, the others repeat the request. */
  async #recordings(signal?: AbortSignal): Promise<readonly Recording[]> {
    const now = this.#session.context.clock.monotonicMs();
    if (this.#list !== null && now - this.#list.atMs < listKeptMs) {
      const known = await this.#list.found.catch(() => null);
      if (known !== null) return known;
    }
    const list = { atMs: now, found: this.#findAll(signal) };
    this.#list = list;
    list.found.catch(() => {
      if (this.#list === list) this.#list = null;
    });
    return await list.found;
  }

  async #findAll(signal?: AbortSignal): Promise<readonly Recording[]> {
    const scope = { IncludedSources: [], IncludedRecordings: [] };
    const { SearchToken } = await this.#session.call(findRecordings, { Scope: scope, KeepAliveTime: 'PT30S' }, signal);
    const found: Recording[] = [];
    await this.#pages(SearchToken, async (page) => {
      const { ResultList } = await this.#session.call(getRecordingSearchResults, page, signal);
      found.push(...ResultList.RecordingInformation);
      return { count: ResultList.RecordingInformation.length, state: ResultList.SearchState };
    });
    return found;
  }

  /** Gaps are reported as events; a device without event search counts as recording without gaps. */
  async #trackStates(recording: Recording, from: number, to: number, signal?: AbortSignal): Promise<TrackState[]> {
    const videoTracks = recording.Track.filter(({ TrackType }) => TrackType === 'Video').map(
      ({ TrackToken }) => TrackToken,
    );
    const states: TrackState[] = [];
    try {
      const { SearchToken } = await this.#session.call(
        findEvents,
        {
          StartPoint: from,
          EndPoint: to,
          Scope: { IncludedSources: [], IncludedRecordings: [recording.RecordingToken] },
          SearchFilter: { TopicExpression: trackStateTopic },
          IncludeStartState: true,
          KeepAliveTime: 'PT30S',
        },
        signal,
      );
      await this.#pages(SearchToken, async (page) => {
        const { ResultList } = await this.#session.call(getEventSearchResults, page, signal);
        for (const result of ResultList.Result) {
          const hasData = hasDataBy(result);
          if (isOfTrack(result, videoTracks) && hasData !== undefined) states.push({ at: result.Time, hasData });
        }
        return { count: ResultList.Result.length, state: ResultList.SearchState };
      });
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'not-supported' || error.kind === 'device')) throw error;
      this.#session.context.log.debug({ fault: error.fault }, 'the device cannot search its events');
    }
    return states;
  }

  /** Pages of a search until the device reports completion; an aborted search is ended on the device. */
  async #pages(SearchToken: string, next: (page: SearchPage) => Promise<{ count: number; state: string | undefined }>) {
    for (let page = 0; page < maxPages; page++) {
      const { count, state } = await next({ SearchToken, MaxResults: pageSize, WaitTime: 'PT3S' });
      if (state === 'Completed' || (count === 0 && state !== 'Searching' && state !== 'Queued')) return;
    }
    await this.#session.call(endSearch, { SearchToken });
  }
}

interface SearchPage {
  readonly SearchToken: string;
  readonly MaxResults: number;
  readonly WaitTime: string;
}

type FoundEvent = TypeOf<typeof getEventSearchResults.response>['ResultList']['Result'][number];

/** An event without a track, or for a recording without one, counts. */
function isOfTrack({ TrackToken }: FoundEvent, tracks: readonly string[]): boolean {
  return tracks.length === 0 || TrackToken === undefined || tracks.includes(TrackToken);
}

function hasDataBy({ Event }: FoundEvent): boolean | undefined {
  const items = Event?.Message?.Message?.Data?.SimpleItem ?? [];
  const value = items.find(({ Name }) => Name === 'IsDataPresent')?.Value.toLowerCase();
  return value === undefined ? undefined : presence.get(value);
}

const presence: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const unicast = { Stream: 'RTP-Unicast', Transport: { Protocol: 'RTSP' } };
const trackStateTopic = ['RecordingHistory', 'Track', 'State'].map((name) => ({ namespace: topicNamespace, name }));
