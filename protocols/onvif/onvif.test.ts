// Tests of the ONVIF schemas: quirks of real devices as synthetic answers, and that what the server side writes the client side reads.
import { describe, expect, expectTypeOf, test } from 'vitest';
import { readEnvelope, writeEnvelope } from '../soap/envelope.ts';
import { parseXml } from '../xml/xml.ts';
import { type XmlNode, element, serializeXml } from '../xml/xml-writer.ts';
import { getDeviceInformation, getServices, getSystemDateAndTime } from './device-operations.ts';
import { getProfiles, getStreamUri, getVideoSources } from './media-operations.ts';
import { getProfiles2 } from './media2-operations.ts';
import { onvifPrefixes, topicNamespace } from './namespaces.ts';
import { type Operation, decodeRequest, decodeResponse, encodeRequest, encodeResponse } from './operation.ts';
import {
  findEvents,
  findRecordings,
  getEventSearchResults,
  getRecordingSearchResults,
} from './recording-operations.ts';
import { SchemaError, boolean, dateTime, decimal, integer, many, one, struct, tolerant, topic } from './schema.ts';

function bodyOf(node: XmlNode) {
  const { body } = readEnvelope(writeEnvelope({ body: node, prefixes: onvifPrefixes }));
  if (body === null) throw new Error('empty body');
  return body;
}

function throughWire<Q, S>(op: Operation<Q, S>, request: Q, response: S): { request: Q; response: S } {
  return {
    request: decodeRequest(op, bodyOf(encodeRequest(op, request))),
    response: decodeResponse(op, bodyOf(encodeResponse(op, response))),
  };
}

describe('schemas', () => {
  test('tokens and names "1", "01", "1.0", "true" and dates stay text', () => {
    const xml = ['1', '01', '1.0', 'true', '2020-01-01'].map(
      (t) => `<Profiles token="${t}"><Name>${t}</Name></Profiles>`,
    );
    const { Profiles } = decodeResponse(
      getProfiles,
      parseXml(`<GetProfilesResponse>${xml.join('')}</GetProfilesResponse>`),
    );
    expect(Profiles.map((p) => p.token)).toEqual(['1', '01', '1.0', 'true', '2020-01-01']);
    expect(Profiles.map((p) => p.Name)).toEqual(['1', '01', '1.0', 'true', '2020-01-01']);
    expectTypeOf(Profiles[0]?.token).toEqualTypeOf<string | undefined>();
    expectTypeOf(Profiles[0]?.VideoEncoderConfiguration?.Resolution?.Width).toEqualTypeOf<number | undefined>();
  });

  test('lists of none, one and two are lists', () => {
    const count = (xml: string) => decodeResponse(getVideoSources, parseXml(xml)).VideoSources.length;
    expect(count('<GetVideoSourcesResponse/>')).toBe(0);
    expect(count('<GetVideoSourcesResponse><VideoSources token="a"/></GetVideoSourcesResponse>')).toBe(1);
    expect(
      count(
        '<R:GetVideoSourcesResponse xmlns:R="urn:x"><R:VideoSources token="a"/><VideoSources token="b"/></R:GetVideoSourcesResponse>',
      ),
    ).toBe(2);
  });

  test('empty optional containers and numbers read as absent, a missing token is named', () => {
    const xml =
      '<GetVideoSourcesResponse><VideoSources token="a"><Framerate/></VideoSources></GetVideoSourcesResponse>';
    expect(decodeResponse(getVideoSources, parseXml(xml)).VideoSources).toEqual([{ token: 'a' }]);
    const without = '<GetVideoSourcesResponse><VideoSources/></GetVideoSourcesResponse>';
    expect(() => decodeResponse(getVideoSources, parseXml(without))).toThrow(
      new SchemaError('GetVideoSourcesResponse/VideoSources/token', 'missing or unreadable'),
    );
  });

  test('another operation in the answer is refused', () => {
    expect(() => decodeResponse(getVideoSources, parseXml('<GetProfilesResponse/>'))).toThrow(SchemaError);
  });

  test.each([
    [integer, ' 12 ', 12],
    [integer, '30.0', 30],
    [integer, '30.5', undefined],
    [integer, '', undefined],
    [integer, '0x10', undefined],
    [decimal, '29.97', 29.97],
    [decimal, '.5', 0.5],
    [decimal, 'NaN', undefined],
    [boolean, ' TRUE', true],
    [boolean, '0', false],
    [boolean, 'yes', undefined],
    [dateTime, '2024-02-29T10:00:00Z', Date.UTC(2024, 1, 29, 10)],
    [dateTime, '2024-02-29T10:00:00+02:00', Date.UTC(2024, 1, 29, 8)],
    [dateTime, '2024-02-29T10:00:00', Date.UTC(2024, 1, 29, 10)],
    [dateTime, 'soon', undefined],
  ])('%# reads %j', (schema, sent, value) => {
    expect(schema.parse(sent)).toBe(value);
  });

  test('topics are resolved whatever prefix the device chose, and written with ours', () => {
    const xml = `<m xmlns:x="${topicNamespace}" xmlns:v="urn:vendor"><Topic>x:RuleEngine/v:Mine/Motion</Topic></m>`;
    const read = topic.read(parseXml(xml).children[0] ?? parseXml('<none/>'));
    expect(read).toEqual([
      { namespace: topicNamespace, name: 'RuleEngine' },
      { namespace: 'urn:vendor', name: 'Mine' },
      { namespace: 'urn:vendor', name: 'Motion' },
    ]);
    const steps = ['RecordingHistory', 'Track', 'State'].map((name) => ({ namespace: topicNamespace, name }));
    expect(serializeXml(topic.write('wsnt:Topic', steps))).toContain('>tns1:RecordingHistory/Track/State<');
  });
});

describe('operations', () => {
  test('carry names with markup and Chinese both ways', () => {
    const response = { Manufacturer: 'A<&"B', Model: '大门 1', FirmwareVersion: '', SerialNumber: '00012' };
    expect(throughWire(getDeviceInformation, {}, response)).toEqual({ request: {}, response });
  });

  test('use the namespaces of their service and of the types inside', () => {
    const body = bodyOf(
      encodeRequest(getStreamUri, {
        StreamSetup: { Stream: 'RTP-Unicast', Transport: { Protocol: 'RTSP' } },
        ProfileToken: 'p',
      }),
    );
    expect(body.namespace).toBe('http://www.onvif.org/ver10/media/wsdl');
    expect(body.child('ProfileToken')?.namespace).toBe('http://www.onvif.org/ver10/media/wsdl');
    expect(body.path('StreamSetup', 'Transport', 'Protocol')?.namespace).toBe('http://www.onvif.org/ver10/schema');
  });

  test('device, media and media 2 answers come back as written', () => {
    const time = { Time: { Hour: 23, Minute: 59, Second: 0 }, Date: { Year: 2024, Month: 2, Day: 29 } };
    const clock = {
      SystemDateAndTime: { DateTimeType: 'NTP', DaylightSavings: false, TimeZone: { TZ: 'CET-1' }, UTCDateTime: time },
    };
    expect(throughWire(getSystemDateAndTime, {}, clock).response).toEqual(clock);
    const services = {
      Service: [{ Namespace: 'urn:a', XAddr: 'http://h/x?a=1&b=2', Version: { Major: 2, Minor: 60 } }],
    };
    expect(throughWire(getServices, { IncludeCapability: false }, services)).toEqual({
      request: { IncludeCapability: false },
      response: services,
    });
    const profiles = {
      Profiles: [
        {
          token: 'p1',
          fixed: true,
          Name: 'main',
          Configurations: {
            VideoSource: { token: 'vsc', SourceToken: 'vs', Bounds: { x: 0, y: 0, width: 1920, height: 1080 } },
            VideoEncoder: {
              token: 've',
              GovLength: 50,
              Encoding: 'H265',
              Resolution: { Width: 1920, Height: 1080 },
              RateControl: { ConstantBitRate: true, FrameRateLimit: 25, BitrateLimit: 4096 },
            },
          },
        },
      ],
    };
    const request = { Type: ['VideoSource', 'VideoEncoder'] };
    expect(throughWire(getProfiles2, request, profiles)).toEqual({ request, response: profiles });
  });

  test('recording search requests and answers come back as written', () => {
    const scope = { IncludedSources: [], IncludedRecordings: ['rec 1'] };
    const found = {
      ResultList: {
        SearchState: 'Completed',
        RecordingInformation: [{ RecordingToken: '01', EarliestRecording: 0, LatestRecording: 5000, Track: [] }],
      },
    };
    const page = { SearchToken: 's', MaxResults: 50, WaitTime: 'PT5S' };
    expect(throughWire(getRecordingSearchResults, page, found)).toEqual({ request: page, response: found });
    const search = { Scope: scope, KeepAliveTime: 'PT10S' };
    expect(throughWire(findRecordings, search, { SearchToken: 's' }).request).toEqual(search);
    const steps = ['RecordingHistory', 'Track', 'State'].map((name) => ({ namespace: topicNamespace, name }));
    const events = {
      StartPoint: 0,
      EndPoint: 1000,
      Scope: scope,
      SearchFilter: { TopicExpression: steps },
      IncludeStartState: true,
      KeepAliveTime: 'PT10S',
    };
    expect(throughWire(findEvents, events, { SearchToken: 's' }).request).toEqual(events);
    const state = (Value: string) => ({ SimpleItem: [{ Name: 'IsDataPresent', Value }] });
    const results = {
      ResultList: {
        SearchState: 'Completed',
        Result: [
          {
            RecordingToken: '01',
            TrackToken: 'V1',
            Time: 1000,
            Event: {
              Topic: steps,
              Message: { Message: { UtcTime: 1000, PropertyOperation: 'Changed', Data: state('true') } },
            },
            StartStateEvent: false,
          },
        ],
      },
    };
    expect(throughWire(getEventSearchResults, page, results).response).toEqual(results);
  });
});

test('topics of vendors are written under a prefix of their own and read back the same', () => {
  const vendor = 'urn:example:topics';
  const steps = [
    { namespace: topicNamespace, name: 'Device' },
    { namespace: vendor, name: 'Sensor' },
    { namespace: vendor, name: 'PIR' },
  ];
  const text = serializeXml(element('r', { 'xmlns:tns1': topicNamespace }, topic.write('Topic', steps)));
  expect(text).toContain('>tns1:Device/t0:Sensor/PIR<');
  expect(topic.read(parseXml(text).child('Topic') ?? parseXml('<none/>'))).toEqual(steps);
});

test('a list keeps readable items beside unreadable ones', () => {
  const schema = struct('t', { N: many(tolerant(struct('t', { A: one(integer) }))) });
  expect(schema.read(parseXml('<r><N><A>1</A></N><N><A>x</A></N><N/></r>'))).toEqual({ N: [{ A: 1 }, null, null] });
});
