// Part of bench:events: many ONVIF cameras in one process that hold pull-point requests and never report an event.
import { cameraScript } from '@vedette/drivers/testing/camera-script.fake.ts';
import { ScriptedDevice, type ScriptedReply } from '@vedette/drivers/testing/scripted-device.fake.ts';

const count = Number(process.argv[2] ?? '1000');
const E =
  'xmlns:tev="http://www.onvif.org/ver10/events/wsdl" xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" xmlns:wsa="http://www.w3.org/2005/08/addressing"';
const service = (name: string) =>
  `<d:Service><d:Namespace>http://www.onvif.org/ver10/${name}/wsdl</d:Namespace><d:XAddr>http://127.0.0.1/onvif/${name}</d:XAddr></d:Service>`;

function lease(): string {
  const now = Date.now();
  const [current, end] = [now, now + 600_000].map((ms) => new Date(ms).toISOString());
  return `<wsnt:CurrentTime>${current}</wsnt:CurrentTime><wsnt:TerminationTime>${end}</wsnt:TerminationTime>`;
}

const script = {
  ...cameraScript(),
  GetServices: {
    body: `<d:GetServicesResponse xmlns:d="http://www.onvif.org/ver10/device/wsdl">${service('media')}${service('events')}</d:GetServicesResponse>`,
  },
  CreatePullPointSubscription: (): ScriptedReply => ({
    body: `<tev:CreatePullPointSubscriptionResponse ${E}><tev:SubscriptionReference><wsa:Address>http://127.0.0.1/onvif/pull</wsa:Address></tev:SubscriptionReference>${lease()}</tev:CreatePullPointSubscriptionResponse>`,
  }),
  SetSynchronizationPoint: { body: `<tev:SetSynchronizationPointResponse ${E}/>` },
  Renew: (): ScriptedReply => ({ body: `<wsnt:RenewResponse ${E}>${lease()}</wsnt:RenewResponse>` }),
  Unsubscribe: { body: `<wsnt:UnsubscribeResponse ${E}/>` },
  PullMessages: (): ScriptedReply => ({ body: `<tev:PullMessagesResponse ${E}/>`, afterMs: 60_000 }),
};

const devices: ScriptedDevice[] = [];
for (let index = 0; index < count; index += 1) devices.push(await ScriptedDevice.start(script));
process.stdout.write(`${JSON.stringify(devices.map(({ url }) => url))}\n`);
