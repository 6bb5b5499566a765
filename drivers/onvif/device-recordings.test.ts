// The device's own recordings: spans from bounds and state changes, searches in pages, and the replay address.
import { describe, expect, test } from 'vitest';
import type { DeviceFault } from '../kit/device-fault.ts';
import { cameraScript, profileXml } from '../testing/camera-script.fake.ts';
import { testContext } from '../testing/driver-context.fake.ts';
import { type Script, ScriptedDevice, soapFault } from '../testing/scripted-device.fake.ts';
import { onvifDriver } from './onvif-driver.ts';
import { spansOf } from './recorded-spans.ts';

describe('spansOf', () => {
  const whole = { from: 100, to: 900 };
  const all = { from: 0, to: 1000 };
  const on = (at: number) => ({ at, hasData: true });
  const off = (at: number) => ({ at, hasData: false });

  test.each([
    ['no states: the bounds', [], all, [[100, 900]]],
    [
      'a gap',
      [off(300), on(400)],
      all,
      [
        [100, 300],
        [400, 900],
      ],
    ],
    ['begins with a start', [on(200), off(300)], all, [[200, 300]]],
    [
      'in any order',
      [on(400), off(300)],
      all,
      [
        [100, 300],
        [400, 900],
      ],
    ],
    ['the state at the start of the range', [on(0), off(300)], all, [[100, 300]]],
    ['off at the start', [off(0), on(500)], all, [[500, 900]]],
    ['repeated states', [on(100), on(200), off(300), off(400)], all, [[100, 300]]],
    [
      'the range cuts',
      [off(300), on(400)],
      { from: 200, to: 500 },
      [
        [200, 300],
        [400, 500],
      ],
    ],
    ['nothing within', [], { from: 900, to: 1000 }, []],
    ['states beyond the range', [off(950)], { from: 0, to: 500 }, [[100, 500]]],
  ])('%s', (_, states, range, expected) => {
    expect(spansOf(whole, states, range).map(({ from, to }) => [from, to])).toEqual(expected);
  });
});

describe('recordings of a recorder', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const service = (name: string) =>
    `<d:Service><d:Namespace>http://www.onvif.org/ver10/${name}/wsdl</d:Namespace><d:XAddr>http://localhost/${name}</d:XAddr></d:Service>`;
  const recording = (token: string, source: string) =>
    `<tt:RecordingInformation><tt:RecordingToken>${token}</tt:RecordingToken><tt:Source><tt:SourceId>${source}</tt:SourceId></tt:Source><tt:EarliestRecording>${at(1000)}</tt:EarliestRecording><tt:LatestRecording>${at(9000)}</tt:LatestRecording><tt:Track><tt:TrackToken>V</tt:TrackToken><tt:TrackType>Video</tt:TrackType></tt:Track></tt:RecordingInformation>`;
  const state = (time: number, value: string, track = 'V') =>
    `<tt:Result><tt:RecordingToken>r2</tt:RecordingToken><tt:TrackToken>${track}</tt:TrackToken><tt:Time>${at(time)}</tt:Time><tt:Event xmlns:w="http://docs.oasis-open.org/wsn/b-2" xmlns:z="http://www.onvif.org/ver10/topics"><w:Topic>z:RecordingHistory/Track/State</w:Topic><w:Message><tt:Message UtcTime="${at(time)}"><tt:Data><tt:SimpleItem Name="IsDataPresent" Value="${value}"/></tt:Data></tt:Message></w:Message></tt:Event></tt:Result>`;
  const list = (name: string, end: string, inner: string) =>
    `<s:${name}Response xmlns:s="urn:s"><s:ResultList><tt:SearchState>${end}</tt:SearchState>${inner}</s:ResultList></s:${name}Response>`;

  function script(sources: readonly [string, string], more: Script = {}): Script {
    let page = 0;
    return {
      ...cameraScript({
        sources: '<m:VideoSources token="s1"/><m:VideoSources token="s2"/>',
        profiles: profileXml('p1', 's1', '640x360') + profileXml('p2', 's2', '640x360'),
      }),
      GetServices: {
        body: `<d:GetServicesResponse xmlns:d="urn:d">${['media', 'search', 'replay'].map(service).join('')}</d:GetServicesResponse>`,
      },
      FindRecordings: () => {
        page = 0;
        return {
          body: '<s:FindRecordingsResponse xmlns:s="urn:s"><s:SearchToken>01</s:SearchToken></s:FindRecordingsResponse>',
        };
      },
      GetRecordingSearchResults: () => {
        page += 1;
        const found = [recording('r1', sources[0]), recording('r2', sources[1])][page - 1] ?? '';
        return { body: list('GetRecordingSearchResults', page < 3 ? 'Searching' : 'Completed', found) };
      },
      FindEvents: {
        body: '<s:FindEventsResponse xmlns:s="urn:s"><s:SearchToken>e</s:SearchToken></s:FindEventsResponse>',
      },
      GetEventSearchResults: {
        body: list(
          'GetEventSearchResults',
          'Completed',
          state(3000, 'false') + state(5000, 'TRUE') + state(6000, 'false', 'A'),
        ),
      },
      GetReplayUri: ({ body }) => ({
        body: `<r:GetReplayUriResponse xmlns:r="urn:r"><r:Uri>rtsp://10.0.0.9:8554/replay/${/RecordingToken>([^<]*)</u.exec(body)?.[1]}</r:Uri></r:GetReplayUriResponse>`,
      }),
      ...more,
    };
  }

  async function channelOf(no: number, lines: Script) {
    const device = await ScriptedDevice.start(lines);
    const native = { url: device.url, keepHost: true, authMode: null, sources: [] };
    const driver = onvifDriver.open({ native, credentials: { user: 'u', password: 'p' }, context: testContext() });
    return { channel: await driver.channel(no), device };
  }

  test.each<[string, readonly [string, string]]>([
    ['by the token of the source', ['s1', 's2']],
    ['by order where the device names them otherwise', ['urn:x', 'urn:y']],
  ])('are found %s, over several pages, with their gaps', async (_, sources) => {
    const { channel, device } = await channelOf(2, script(sources));
    const spans = await channel.recorded?.(0, 20_000);
    expect(spans).toEqual([
      { from: 1000, to: 3000 },
      { from: 5000, to: 9000 },
    ]);
    expect(await channel.replay?.(2000, 4000)).toMatchObject({
      kind: 'rtsp-replay',
      url: 'rtsp://127.0.0.1:8554/replay/r2',
      from: 2000,
      to: 4000,
    });
    await device.stop();
  });

  test('a device that cannot search events is taken to have no gaps', async () => {
    const unsupported = { FindEvents: { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported') } };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], unsupported));
    expect(await channel.recorded?.(0, 20_000)).toEqual([{ from: 1000, to: 9000 }]);
    await device.stop();
  });

  test('a channel without a recording has no spans and nothing to replay', async () => {
    const none = { GetRecordingSearchResults: { body: list('GetRecordingSearchResults', 'Completed', '') } };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], none));
    expect(await channel.recorded?.(0, 20_000)).toEqual([]);
    const fault: unknown = await channel.replay?.(0, 1).catch((error: unknown) => error);
    expect((fault as DeviceFault).kind).toBe('not-found');
    await device.stop();
  });

  test('a search that never completes is ended, with what it found', async () => {
    const asked = { results: 0, ended: 0 };
    const endless: Script = {
      GetRecordingSearchResults: () => {
        asked.results += 1;
        return {
          body: list('GetRecordingSearchResults', 'Searching', asked.results === 1 ? recording('r1', 's1') : ''),
        };
      },
      EndSearch: () => {
        asked.ended += 1;
        return { body: '<s:EndSearchResponse xmlns:s="urn:s"/>' };
      },
    };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], endless));
    expect(await channel.recorded?.(0, 20_000)).toEqual([
      { from: 1000, to: 3000 },
      { from: 5000, to: 9000 },
    ]);
    expect(asked).toEqual({ results: 50, ended: 1 });
    await device.stop();
  });

  test.each([
    ['states that are no states', state(3000, 'perhaps') + state(5000, ''), [[1000, 9000]]],
    ['ten thousand changes of one instant', state(3000, 'false').repeat(5000) + state(3000, 'true').repeat(5000), 2],
    ['tokens with markup', state(3000, 'false', '&lt;V&amp;&quot;'), [[1000, 9000]]],
  ])('%s are tolerated', async (_, states, expected) => {
    const lines = { GetEventSearchResults: { body: list('GetEventSearchResults', 'Completed', states) } };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], lines));
    const spans = (await channel.recorded?.(0, 20_000)) ?? [];
    if (typeof expected === 'number') expect(spans.length).toBeLessThanOrEqual(expected);
    else expect(spans.map(({ from, to }) => [from, to])).toEqual(expected);
    await device.stop();
  });

  test.each([
    ['a recording without a token', recording('r1', 's1').replace(/<tt:RecordingToken>.*?<\/tt:RecordingToken>/u, '')],
    ['an answer that breaks off', '<tt:RecordingInformation><tt:Source>'],
  ])('%s are the fault of the device', async (_, found) => {
    const lines = { GetRecordingSearchResults: { body: list('GetRecordingSearchResults', 'Completed', found) } };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], lines));
    const fault: unknown = await channel.recorded?.(0, 20_000).catch((error: unknown) => error);
    expect((fault as DeviceFault).kind).toBe('device');
    await device.stop();
  });

  test('an invalid start time falls back to the start of the requested range', async () => {
    const found = recording('r1', 's1').replace(at(1000), 'yesterday');
    const lines = { GetRecordingSearchResults: { body: list('GetRecordingSearchResults', 'Completed', found) } };
    const { channel, device } = await channelOf(1, script(['s1', 's2'], lines));
    expect((await channel.recorded?.(0, 2000)) ?? []).toEqual([{ from: 0, to: 2000 }]);
    await device.stop();
  });

  test('concurrent requests of several channels share one list', async () => {
    let lists = 0;
    const counted = script(['s1', 's2']);
    const find = counted['FindRecordings'];
    const { channel, device } = await channelOf(2, {
      ...counted,
      FindRecordings: (request) => {
        lists += 1;
        return typeof find === 'function' ? find(request) : {};
      },
    });
    await Promise.all([channel.recorded?.(0, 20_000), channel.recorded?.(0, 10_000)]);
    await channel.replay?.(0, 1000);
    expect(lists).toBe(1);
    await device.stop();
  });

  test('without search and replay services there is no such member', async () => {
    const { channel, device } = await channelOf(1, cameraScript());
    expect([channel.recorded, channel.replay]).toEqual([undefined, undefined]);
    await device.stop();
  });
});
