// Recording control, search and replay services of a virtual device: the part of Profile G that finds and plays recordings.

import {
  endSearch,
  findEvents,
  findRecordings,
  getEventSearchResults,
  getRecordings,
  getRecordingSearchResults,
  getRecordingSummary,
  getReplayUri,
} from '@vedette/protocols/onvif/recording-operations.ts';
import { topicNamespace } from '@vedette/protocols/onvif/namespaces.ts';
import { element } from '@vedette/protocols/xml/xml-writer.ts';
import { recordedSpans } from '../recordings/recorded-pattern.ts';
import { sourceToken } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, answerPlain, type OperationHandler } from './operation-handler.ts';
import { SearchSessions } from './search-sessions.ts';

const VIDEO_TRACK = 'VIDEO001';

interface Recording {
  readonly token: string;
  readonly channelNo: number;
  readonly name: string;
}

interface StateChange {
  readonly recording: Recording;
  readonly at: number;
  readonly isDataPresent: boolean;
  readonly isStartState: boolean;
}

/** None where no card or disk is in order. */
function recordingsOf(device: OnvifDevice): Recording[] {
  if (!device.disks.list.some(({ state }) => state === 'ok')) return [];
  return device.plan.channels.map((channel, index) => ({
    token: `recording_${index + 1}`,
    channelNo: index + 1,
    name: channel.name,
  }));
}

function recordingOf(device: OnvifDevice, token: string): Recording {
  const found = recordingsOf(device).find((recording) => recording.token === token);
  if (found === undefined) throw invalidArgument('ter:NoRecording', 'The recording token does not exist');
  return found;
}

function sourceOf(recording: Recording) {
  return {
    SourceId: sourceToken(recording.channelNo),
    Name: recording.name,
    Location: '',
    Description: '',
    Address: '',
  };
}

export function recordingHandlers(device: OnvifDevice): OperationHandler[] {
  if (!device.plan.hasHistory) return [];
  const searches = new SearchSessions(() => device.clock.monotonicMs());
  return [
    ...recordingControl(device),
    ...recordingSearch(device, searches),
    ...eventSearch(device, searches),
    answer(endSearch, (request) => {
      searches.end(request.SearchToken);
      return { Endpoint: device.clock.wallMs() };
    }),
    answer(getReplayUri, (request) => {
      const recording = recordingOf(device, request.RecordingToken);
      return { Uri: device.rtspUrl(`/replay/${recording.channelNo}`) };
    }),
    answerPlain('replay', 'GetServiceCapabilities', () =>
      element(
        'trp:GetServiceCapabilitiesResponse',
        {},
        element('trp:Capabilities', { ReversePlayback: 'false', SessionTimeoutRange: '10 600', RTP_RTSP_TCP: 'true' }),
      ),
    ),
    answerPlain('search', 'GetServiceCapabilities', () =>
      element('tse:GetServiceCapabilitiesResponse', {}, element('tse:Capabilities', { MetadataSearch: 'false' })),
    ),
    answerPlain('recording', 'GetServiceCapabilities', () =>
      element('trc:GetServiceCapabilitiesResponse', {}, element('trc:Capabilities', { DynamicRecordings: 'false' })),
    ),
  ];
}

function recordingControl(device: OnvifDevice): OperationHandler[] {
  return [
    answer(getRecordings, () => ({
      RecordingItem: recordingsOf(device).map((recording) => ({
        RecordingToken: recording.token,
        Configuration: { Source: sourceOf(recording), Content: recording.name, MaximumRetentionTime: 'P7D' },
        Tracks: { Track: [{ TrackToken: VIDEO_TRACK, Configuration: { TrackType: 'Video', Description: '' } }] },
      })),
    })),
    answer(getRecordingSummary, () => ({
      Summary: {
        DataFrom: device.recordingsFrom(),
        DataUntil: device.clock.wallMs(),
        NumberRecordings: recordingsOf(device).length,
      },
    })),
  ];
}

function recordingSearch(device: OnvifDevice, searches: SearchSessions): OperationHandler[] {
  return [
    answer(findRecordings, (request) => {
      const wanted = request.Scope.IncludedRecordings;
      const sources = request.Scope.IncludedSources.map((source) => source.Token);
      const found = recordingsOf(device).filter(
        (recording) =>
          (wanted.length === 0 || wanted.includes(recording.token)) &&
          (sources.length === 0 || sources.includes(sourceToken(recording.channelNo))),
      );
      return { SearchToken: searches.begin(found.slice(0, request.MaxMatches)) };
    }),
    answer(getRecordingSearchResults, (request) => {
      const page = searches.take<Recording>(request.SearchToken, request.MaxResults);
      return {
        ResultList: {
          SearchState: page.isComplete ? 'Completed' : 'Searching',
          RecordingInformation: page.items.map((recording) => ({
            RecordingToken: recording.token,
            Source: sourceOf(recording),
            EarliestRecording: device.recordingsFrom(),
            LatestRecording: device.clock.wallMs(),
            Content: recording.name,
            Track: [
              {
                TrackToken: VIDEO_TRACK,
                TrackType: 'Video',
                Description: '',
                DataFrom: device.recordingsFrom(),
                DataTo: device.clock.wallMs(),
              },
            ],
            RecordingStatus: 'Recording',
          })),
        },
      };
    }),
  ];
}

function eventSearch(device: OnvifDevice, searches: SearchSessions): OperationHandler[] {
  return [
    answer(findEvents, (request) => {
      const wanted = request.Scope.IncludedRecordings;
      const range = { from: request.StartPoint, to: request.EndPoint ?? device.clock.wallMs() };
      const changes = recordingsOf(device)
        .filter((recording) => wanted.length === 0 || wanted.includes(recording.token))
        .flatMap((recording) => stateChanges(device, recording, range, request.IncludeStartState))
        .toSorted((a, b) => a.at - b.at);
      return { SearchToken: searches.begin(changes.slice(0, request.MaxMatches)) };
    }),
    answer(getEventSearchResults, (request) => {
      const page = searches.take<StateChange>(request.SearchToken, request.MaxResults);
      return {
        ResultList: {
          SearchState: page.isComplete ? 'Completed' : 'Searching',
          Result: page.items.map((change) => ({
            RecordingToken: change.recording.token,
            TrackToken: VIDEO_TRACK,
            Time: change.at,
            Event: eventOf(change),
            StartStateEvent: change.isStartState,
          })),
        },
      };
    }),
  ];
}

/** tns1:RecordingHistory/Track/State (ONVIF Recording Search 5.22). */
function stateChanges(
  device: OnvifDevice,
  recording: Recording,
  range: { from: number; to: number },
  withStart: boolean,
): StateChange[] {
  const seed = device.recordingSeed(recording.channelNo);
  const spans = recordedSpans(seed, range);
  const changes: StateChange[] = spans.flatMap((span) => [
    { recording, at: span.from, isDataPresent: true, isStartState: false },
    { recording, at: span.to, isDataPresent: false, isStartState: false },
  ]);
  const inside = changes.filter(({ at }) => at > range.from && at <= Math.min(range.to, device.clock.wallMs()));
  if (!withStart) return inside;
  const isDataPresent = spans.some((span) => span.from <= range.from && span.to > range.from);
  return [{ recording, at: range.from, isDataPresent, isStartState: true }, ...inside];
}

function eventOf(change: StateChange) {
  const item = (Name: string, Value: string) => ({ Name, Value });
  return {
    Topic: ['RecordingHistory', 'Track', 'State'].map((name) => ({ namespace: topicNamespace, name })),
    Message: {
      Message: {
        UtcTime: change.at,
        PropertyOperation: change.isStartState ? 'Initialized' : 'Changed',
        Source: { SimpleItem: [item('RecordingToken', change.recording.token), item('Track', VIDEO_TRACK)] },
        Data: { SimpleItem: [item('IsDataPresent', String(change.isDataPresent))] },
      },
    },
  };
}
