// What a site may say: anything at all is read or left, never thrown at; what is honest comes through, without what we do not know.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { siteAnswers, siteRefusals } from './site-answers.ts';
import { SITE_ANSWER_LIMITS } from './site-answer-parts.ts';
import { readSiteEvent, readSiteMessage } from './site-messages.ts';

const event = {
  kind: 'deviceEvent',
  deviceSerial: 'CAM1',
  eventId: '0mabc',
  topic: 'tns1:VideoSource/MotionAlarm',
  phase: 'start',
  channelNo: 1,
  key: '',
  at: 5,
  deviceAt: null,
  source: { a: 'b' },
  data: {},
} as const;
const status = { kind: 'deviceStatus', deviceSerial: 'CAM1', status: 1, reason: null, at: 5 } as const;
const channel = {
  kind: 'channelStatus',
  deviceSerial: 'CAM1',
  channelNo: 1,
  status: 1,
  isRecording: true,
  at: 5,
} as const;
const hello = { type: 'hello', protocol: 1, siteId: 'S', secret: 's' } as const;
const storage = {
  folder: '/',
  usedBytes: 1,
  freeBytes: 1,
  budgetBytes: 1,
  state: 'normal',
  reason: null,
  oldestAt: null,
};
const candidate = {
  probeId: 'abc',
  driver: 'rtsp',
  native: { urls: ['rtsp://a'] },
  deviceSerial: 'S',
  deviceName: 'n',
  deviceType: 0,
  manufacturer: '',
  deviceModel: '',
  deviceVersion: '',
  address: 'a',
  channels: [],
  capabilities: [],
  warnings: [],
};
/** What each schema takes, so that a small change of it is near its borders. */
const HONEST: readonly [keyof typeof siteAnswers, object][] = [
  ['health', { storage, streams: [] }],
  ['probe', candidate],
  ['recordings', { spans: [{ startTime: 1, endTime: 2, recordType: 1 }], gaps: [] }],
  ['tickets', { ticketIds: ['abc'] }],
  ['upgradeStatus', { state: 'sending', percent: 12.4, reason: null, version: null }],
  ['picture', { picture: { contentType: 'image/jpeg', data: 'AAAA', at: 1 } }],
];

/** Values that JSON can bring, with the keys of the wire among them, so that the readers are passed in part. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      true,
      -1,
      0,
      1,
      1e308,
      2 ** 53,
      0.5,
      'event',
      'answer',
      'hello',
      'deviceEvent',
      '\0',
      '\ud800',
    ),
    fc.string(),
    fc.array(tie('value')),
    fc.dictionary(
      fc.constantFrom(
        'type',
        'seq',
        'id',
        'code',
        'data',
        'event',
        'kind',
        'deviceSerial',
        'at',
        'status',
        'spans',
        '__proto__',
        'constructor',
      ),
      tie('value'),
    ),
  ),
})).value;

/** An honest object with one of its fields, at any depth of one, replaced. */
const bent = (honest: object) =>
  fc.tuple(fc.constantFrom(...Object.keys(honest)), anything).map(([key, value]) => ({ ...honest, [key]: value }));

describe('[SE-82] what a site says by itself', () => {
  it('is read or left, whatever it is', () => {
    const events = [event, status, channel];
    const messages = [
      hello,
      ...events.map((one) => ({ type: 'event', seq: 1, event: one })),
      { type: 'answer', id: 1, code: 200 },
    ];
    const given = fc.oneof(
      anything,
      fc.json().map((text) => JSON.parse(text) as unknown),
      ...messages.map(bent),
    );
    fc.assert(fc.property(given, (value) => void readSiteMessage(value)));
    fc.assert(
      fc.property(fc.oneof(anything, ...events.map(bent)), (value) => {
        const read = readSiteEvent(value);
        if (read === null) return;
        expect(readSiteEvent(read)).toEqual(read);
        expect(Number.isSafeInteger(read.at) && read.at >= 0).toBe(true);
        expect(read.deviceSerial.length).toBeLessThanOrEqual(20);
      }),
    );
  });

  it('comes through where it is honest, without fields that a newer site adds', () => {
    for (const one of [event, status, channel]) expect(readSiteEvent({ ...one, mood: 'calm' })).toEqual(one);
    expect(readSiteMessage({ ...hello, addresses: ['10.0.0.1', 7], rtspPort: -1, mood: 1 })).toEqual({
      ...hello,
      addresses: ['10.0.0.1'],
      rtspPort: undefined,
    });
    expect(readSiteEvent({ ...status, reason: 'sunspots' })).toEqual({ ...status, reason: 'fault' });
  });

  it('has a number to be forgotten by where it is no event', () => {
    expect(readSiteMessage({ type: 'event', seq: 7, event: {} })).toEqual({ type: 'badEvent', seq: 7 });
    for (const seq of [-1, 0.5, '7', 1e308, null]) expect(readSiteMessage({ type: 'event', seq, event })).toBeNull();
  });
});

describe('[SE-82] what a site answers', () => {
  it('is read or refused, whatever it is', () => {
    const schemas = [...Object.values(siteAnswers), ...siteRefusals.values()];
    fc.assert(
      fc.property(anything, (value) => {
        for (const schema of schemas) schema.safeParse(value);
      }),
    );
    for (const [name, honest] of HONEST) {
      fc.assert(
        fc.property(bent(honest), (value) => {
          const read = siteAnswers[name].safeParse(value);
          if (read.success) expect(siteAnswers[name].parse(read.data)).toEqual(read.data);
        }),
      );
    }
  });

  it('comes through where it is honest', () => {
    for (const [name, honest] of HONEST) expect(siteAnswers[name].safeParse(honest).success, name).toBe(true);
  });

  it('is cut where a device says too much, and refused where the site does', () => {
    const long = 'x'.repeat(10_000);
    const read = siteAnswers.probe.parse({ ...candidate, deviceName: `${long}\0` });
    expect(read.deviceName).toHaveLength(SITE_ANSWER_LIMITS.name);
    expect(siteAnswers.scanStart.safeParse({ scanId: long }).success).toBe(false);
    const twice = { channelNo: 1, channelName: '', streams: [] };
    expect(siteAnswers.probe.safeParse({ ...candidate, channels: [twice, twice] }).success).toBe(false);
  });

  it('costs no stack, however deep it is', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown;
    for (const schema of Object.values(siteAnswers)) schema.safeParse(deep);
    expect(siteAnswers.probe.safeParse({ ...candidate, native: deep }).success).toBe(false);
  });
});
