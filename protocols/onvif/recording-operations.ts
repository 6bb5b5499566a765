// Operations of the recording control, recording search and replay services: what Profile G needs to find and play recordings.
import { streamSetup } from './media-types.ts';
import { notification } from './notification.ts';
import { operation } from './operation.ts';
import { boolean, dateTime, integer, many, one, optional, struct, text, token, topic } from './schema.ts';

const sourceInformation = struct('tt', {
  SourceId: optional(token),
  Name: optional(text),
  Location: optional(text),
  Description: optional(text),
  Address: optional(token),
});

const listedTrack = struct('tt', {
  TrackToken: one(token),
  Configuration: optional(struct('tt', { TrackType: optional(token), Description: optional(text) })),
});

export const getRecordings = operation({
  service: 'recording',
  name: 'GetRecordings',
  kind: 'read',
  request: {},
  response: {
    RecordingItem: many(
      struct('tt', {
        RecordingToken: one(token),
        Configuration: optional(
          struct('tt', {
            Source: optional(sourceInformation),
            Content: optional(text),
            MaximumRetentionTime: optional(token),
          }),
        ),
        Tracks: optional(struct('tt', { Track: many(listedTrack) })),
      }),
    ),
  },
});

export const getRecordingSummary = operation({
  service: 'search',
  name: 'GetRecordingSummary',
  kind: 'read',
  request: {},
  response: {
    Summary: one(
      struct('tt', {
        DataFrom: optional(dateTime),
        DataUntil: optional(dateTime),
        NumberRecordings: optional(integer),
      }),
    ),
  },
});

const sourceReference = struct('tt', { Type: optional(token), Token: one(token) });

const searchScope = struct('tt', {
  IncludedSources: many(sourceReference),
  IncludedRecordings: many(token),
  RecordingInformationFilter: optional(text),
});

/** Durations such as `PT10S` are xs:duration text. */
export const findRecordings = operation({
  service: 'search',
  name: 'FindRecordings',
  kind: 'cursor',
  request: { Scope: one(searchScope), MaxMatches: optional(integer), KeepAliveTime: one(token) },
  response: { SearchToken: one(token) },
});

const searchPage = {
  SearchToken: one(token),
  MinResults: optional(integer),
  MaxResults: optional(integer),
  WaitTime: optional(token),
} as const;

const recordingInformation = struct('tt', {
  RecordingToken: one(token),
  Source: optional(sourceInformation),
  EarliestRecording: optional(dateTime),
  LatestRecording: optional(dateTime),
  Content: optional(text),
  Track: many(
    struct('tt', {
      TrackToken: one(token),
      TrackType: optional(token),
      Description: optional(text),
      DataFrom: optional(dateTime),
      DataTo: optional(dateTime),
    }),
  ),
  RecordingStatus: optional(token),
});

export const getRecordingSearchResults = operation({
  service: 'search',
  name: 'GetRecordingSearchResults',
  kind: 'cursor',
  request: searchPage,
  response: {
    ResultList: one(struct('tt', { SearchState: optional(token), RecordingInformation: many(recordingInformation) })),
  },
});

export const findEvents = operation({
  service: 'search',
  name: 'FindEvents',
  kind: 'cursor',
  request: {
    StartPoint: one(dateTime),
    EndPoint: optional(dateTime),
    Scope: one(searchScope),
    SearchFilter: one(struct('tt', { TopicExpression: optional(topic, 'wsnt') })),
    IncludeStartState: one(boolean),
    MaxMatches: optional(integer),
    KeepAliveTime: one(token),
  },
  response: { SearchToken: one(token) },
});

export const getEventSearchResults = operation({
  service: 'search',
  name: 'GetEventSearchResults',
  kind: 'cursor',
  request: searchPage,
  response: {
    ResultList: one(
      struct('tt', {
        SearchState: optional(token),
        Result: many(
          struct('tt', {
            RecordingToken: one(token),
            TrackToken: optional(token),
            Time: one(dateTime),
            Event: optional(notification),
            StartStateEvent: optional(boolean),
          }),
        ),
      }),
    ),
  },
});

export const endSearch = operation({
  service: 'search',
  name: 'EndSearch',
  kind: 'cursor',
  request: { SearchToken: one(token) },
  response: { Endpoint: optional(dateTime) },
});

export const getReplayUri = operation({
  service: 'replay',
  name: 'GetReplayUri',
  kind: 'read',
  request: { StreamSetup: one(streamSetup), RecordingToken: one(token) },
  response: { Uri: one(token) },
});
