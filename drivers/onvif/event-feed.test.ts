// The pull-point against devices of every manner, over real HTTP; answers are written by hand in XML. Rests are hurried.
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import { afterEach, expect, test, vi } from 'vitest';
import type { EventFeedState } from '../kit/event-feed.ts';
import { cameraScript } from '../testing/camera-script.fake.ts';
import { type TestContext, testContext } from '../testing/driver-context.fake.ts';
import { type Script, ScriptedDevice, type ScriptedReply, soapFault } from '../testing/scripted-device.fake.ts';
import { onvifDriver } from './onvif-driver.ts';

const E =
  'xmlns:tev="http://www.onvif.org/ver10/events/wsdl" xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" xmlns:wsa="http://www.w3.org/2005/08/addressing"';
const CAMERA = cameraScript();
const SERVICES = `<d:GetServicesResponse xmlns:d="http://www.onvif.org/ver10/device/wsdl">
  <d:Service><d:Namespace>http://www.onvif.org/ver10/media/wsdl</d:Namespace><d:XAddr>http://127.0.0.1/onvif/media</d:XAddr></d:Service>
  <d:Service><d:Namespace>http://www.onvif.org/ver10/events/wsdl</d:Namespace><d:XAddr>http://127.0.0.1/onvif/events</d:XAddr></d:Service>
  </d:GetServicesResponse>`;

function made(parts: { readonly reference?: string; readonly life?: readonly [string, string] } = {}): ScriptedReply {
  const { reference = '<wsa:Address>http://10.1.2.3/onvif/pull/7</wsa:Address>', life } = parts;
  const [current, end] = life ?? ['2020-01-01T00:00:00Z', '2020-01-01T00:10:00Z'];
  return {
    body: `<tev:CreatePullPointSubscriptionResponse ${E}><tev:SubscriptionReference>${reference}</tev:SubscriptionReference>
      <wsnt:CurrentTime>${current}</wsnt:CurrentTime><wsnt:TerminationTime>${end}</wsnt:TerminationTime>
      </tev:CreatePullPointSubscriptionResponse>`,
  };
}

function messages(...states: readonly (readonly [operation: string, value: string])[]): ScriptedReply {
  const each = states.map(
    ([operation, value], index) => `<wsnt:NotificationMessage>
      <wsnt:Topic xmlns:p="http://www.onvif.org/ver10/topics">p:Device/Trigger/DigitalInput</wsnt:Topic>
      <wsnt:Message><tt:Message UtcTime="2020-01-01T00:00:0${index}Z" PropertyOperation="${operation}">
      <tt:Source><tt:SimpleItem Name="InputToken" Value="in1"/></tt:Source>
      <tt:Data><tt:SimpleItem Name="LogicalState" Value="${value}"/></tt:Data></tt:Message></wsnt:Message>
      </wsnt:NotificationMessage>`,
  );
  return { body: `<tev:PullMessagesResponse ${E}>${each.join('')}</tev:PullMessagesResponse>` };
}

const HANG: ScriptedReply = { hang: true };
const PULSE = messages(['Changed', 'true']);

/** Each reply once, then the last for ever. */
function inTurn(...replies: readonly ScriptedReply[]): () => ScriptedReply {
  let index = 0;
  return () => replies[Math.min(index++, replies.length - 1)] as ScriptedReply;
}

interface Listening {
  readonly device: ScriptedDevice;
  readonly events: DeviceEvent[];
  readonly states: EventFeedState[];
  /** Of every rest, in ms. */
  readonly rests: number[];
  readonly done: Promise<void>;
  readonly context: TestContext;
  leave(): void;
}

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

async function listen(script: Script): Promise<Listening> {
  const all: Script = {
    ...CAMERA,
    GetServices: { body: SERVICES },
    CreatePullPointSubscription: made(),
    SetSynchronizationPoint: { body: `<tev:SetSynchronizationPointResponse ${E}/>` },
    Renew: {
      body: `<wsnt:RenewResponse ${E}><wsnt:TerminationTime>2020-01-01T00:20:00Z</wsnt:TerminationTime></wsnt:RenewResponse>`,
    },
    Unsubscribe: { body: `<wsnt:UnsubscribeResponse ${E}/>` },
    PullMessages: HANG,
    ...script,
  };
  const device = await ScriptedDevice.start(all);
  const rests: number[] = [];
  const real = testContext();
  const after: TestContext['clock']['after'] = (ms, run) => {
    if (ms > 1) rests.push(ms);
    return real.clock.after(Math.min(ms, 2), run);
  };
  const context: TestContext = { ...real, clock: { ...real.clock, after } };
  const native = { url: device.url, keepHost: true, authMode: 'ws-security', sources: [] };
  const driver = onvifDriver.open({ native, credentials: { user: 'u', password: 'p' }, context });
  const leaving = new AbortController();
  const [events, states]: [DeviceEvent[], EventFeedState[]] = [[], []];
  if (driver.listen === undefined) throw new Error('the driver has no events');
  const done = driver.listen({
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    signal: leaving.signal,
  });
  done.catch(() => undefined);
  running.push({
    stop: async () => {
      await driver.close();
      await device.stop();
    },
  });
  return { device, events, states, rests, done, context, leave: () => leaving.abort() };
}

const count = (device: ScriptedDevice, name: string, atLeast = 1) =>
  vi.waitFor(() => expect([name, device.count(name) >= atLeast]).toEqual([name, true]), { timeout: 5000 });

test('subscribes, reports changes, and unsubscribes', async () => {
  const PullMessages = inTurn(
    messages(['Initialized', 'false'], ['Changed', 'true']),
    messages(['Changed', 'false']),
    HANG,
  );
  const { device, events, states, done, leave } = await listen({ PullMessages });
  await vi.waitFor(() => expect(events).toHaveLength(2));
  const about = { topic: 'tns1:Device/Trigger/DigitalInput', channelNo: 0, key: 'in1' };
  expect(events).toMatchObject([
    { ...about, phase: 'start', source: { InputToken: 'in1' }, data: { LogicalState: 'true' } },
    { ...about, phase: 'end', deviceAt: Date.UTC(2020, 0, 1) },
  ]);
  expect(Math.abs((events[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(states).toEqual([{ kind: 'listening' }]);
  await count(device, 'PullMessages', 3);
  leave();
  await done;
  expect([device.count('CreatePullPointSubscription'), device.count('Unsubscribe')]).toEqual([1, 1]);
  const pull = device.calls.find(({ name }) => name === 'PullMessages');
  // Path of the device, host as dialled; what it called itself stands in wsa:To.
  expect(pull?.path).toBe('/onvif/pull/7');
  expect(pull?.body).toContain('<wsa:To>http://10.1.2.3/onvif/pull/7</wsa:To>');
  expect(pull?.body).toContain('PullPointSubscription/PullMessagesRequest</wsa:Action>');
  expect(pull?.body).toMatch(/<wsa:MessageID>urn:uuid:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}</u);
  expect(pull?.body).toContain('<tev:Timeout>PT60S</tev:Timeout>');
  expect(pull?.hasSecurityHeader).toBe(true);
});

test('reference parameters are sent back unchanged, in their own namespace', async () => {
  const reference = `<wsa:Address>http://10.1.2.3/onvif/services</wsa:Address><wsa:ReferenceParameters>
    <dom0:SubscriptionId xmlns:dom0="http://www.axis.com/2009/event">01&lt;7</dom0:SubscriptionId></wsa:ReferenceParameters>`;
  const { device } = await listen({ CreatePullPointSubscription: made({ reference }) });
  await count(device, 'PullMessages');
  const { body = '' } = device.calls.find(({ name }) => name === 'PullMessages') ?? {};
  expect(body).toMatch(
    /<ref:SubscriptionId xmlns:ref="http:\/\/www\.axis\.com\/2009\/event" wsa:IsReferenceParameter="true">01&lt;7<\/ref:SubscriptionId>/u,
  );
});

test.each<[string, ScriptedReply]>([
  ['404', { status: 404 }],
  ['an empty answer', { body: '' }],
  ['a fault', { status: 400, body: soapFault('Sender', 'ter:InvalidArgVal') }],
  ['200 with a fault', { body: soapFault('Receiver', 'ter:Action') }],
  ['500 without a body', { status: 500 }],
  ['a DOCTYPE', { body: '<!DOCTYPE x [<!ENTITY e "x">]><x>&e;</x>' }],
  [
    'truncated XML',
    { body: '<?xml version="1.0"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope"><env:Bo' },
  ],
  ['an answer without end', { flood: true }],
])('%s to a pull: unsubscribes, subscribes anew and goes on', async (_, broken) => {
  const { device, events, states } = await listen({ PullMessages: inTurn(broken, PULSE, HANG) });
  await vi.waitFor(() => expect(events).toHaveLength(1), { timeout: 10_000 });
  expect(device.count('CreatePullPointSubscription')).toBe(2);
  expect(device.count('Unsubscribe')).toBe(1);
  expect(states.map(({ kind }) => kind)).toEqual(['listening', 'waiting', 'listening']);
});

test('backs off after every failure, up to a minute, and resets after a good period', async () => {
  const broken = { status: 500 };
  const { rests, device } = await listen({ CreatePullPointSubscription: broken });
  await count(device, 'CreatePullPointSubscription', 9);
  for (const [index, wholeMs] of [1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1000).entries()) {
    expect(rests[index]).toBeLessThanOrEqual(wholeMs);
    expect(rests[index]).toBeGreaterThan(wholeMs * 0.74);
  }
});

test('a device whose times make no sense is asked to renew, and one that cannot is asked only once', async () => {
  const life = ['2020-01-01T00:10:00Z', '2019-12-31T23:00:00Z'] as const;
  const Renew = { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported') };
  let passes = (_ms: number): void => undefined;
  let pulls = 0;
  const PullMessages = () => {
    passes(6000);
    pulls += 1;
    return pulls < 6 ? PULSE : HANG;
  };
  const { device, context } = await listen({
    CreatePullPointSubscription: () => {
      passes = context.advance;
      return made({ life });
    },
    Renew,
    PullMessages,
  });
  await count(device, 'PullMessages', 6);
  expect(device.calls.find(({ name }) => name === 'PullMessages')?.body).toContain('PT5S');
  expect([device.count('Renew'), device.count('CreatePullPointSubscription')]).toEqual([1, 1]);
});

test('no subscription left on the device: reported once, retried after minutes only', async () => {
  const full = {
    status: 400,
    body: soapFault('Receiver', 'wsnt:SubscribeCreationFailedFault', 'ter:MaxPullPointsReached'),
  };
  const { device, rests, context } = await listen({ CreatePullPointSubscription: full });
  await count(device, 'CreatePullPointSubscription', 3);
  expect(rests.slice(0, 2).every((ms) => ms >= 300_000)).toBe(true);
  expect(context.logged().match(/no subscription left/gu)).toHaveLength(1);
});

test.each([
  ['a refused password', { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') }, 'auth'],
  ['no event service', { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported') }, 'not-supported'],
])('%s ends the feed without a retry', async (_, refusal, kind) => {
  const { done, rests } = await listen({ CreatePullPointSubscription: refusal });
  await expect(done).rejects.toMatchObject({ kind });
  expect(rests).toEqual([]);
});

test('an unreadable notification does not affect the others', async () => {
  const odd =
    '<wsnt:NotificationMessage><wsnt:Topic/><wsnt:Message><tt:Message><tt:Data><tt:SimpleItem/></tt:Data></tt:Message></wsnt:Message></wsnt:NotificationMessage>';
  const { body = '' } = PULSE;
  const mixed = { body: String(body).replace('<wsnt:NotificationMessage>', `${odd}<wsnt:NotificationMessage>`) };
  const { events } = await listen({ PullMessages: inTurn(mixed, HANG) });
  await vi.waitFor(() => expect(events).toHaveLength(1));
});

test('a device that answers empty at once is not polled at once again', async () => {
  const { device, rests } = await listen({ PullMessages: messages() });
  await count(device, 'PullMessages', 3);
  expect(rests.every((ms) => ms > 500)).toBe(true);
});

test('changes during an interruption are reported after it, and nothing twice', async () => {
  const before = messages(['Initialized', 'false']);
  const { events } = await listen({
    PullMessages: inTurn(
      before,
      { status: 404 },
      messages(['Initialized', 'true']),
      { status: 404 },
      messages(['Initialized', 'true'], ['Changed', 'false']),
      HANG,
    ),
  });
  await vi.waitFor(() => expect(events.map(({ phase }) => phase)).toEqual(['start', 'end']));
});
