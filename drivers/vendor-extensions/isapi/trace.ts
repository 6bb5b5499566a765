// Tracking by a Hikvision dome: its intrusion detection is linked to `trace` beside its alarms, and its head follows what set it off.
import { DeviceFault } from '../../kit/device-fault.ts';
import type { AddedPart } from '../vendor-extension.ts';
import { methodsOf, notification } from './arming.ts';
import { IsapiDocument } from './isapi-document.ts';

const METHOD = 'trace';

const urlOf = (channelNo: number) => `/ISAPI/Event/triggers/fielddetection-${channelNo}`;

export const tracePart: AddedPart<'tracking'> = {
  read: async (http, channelNo, signal) => {
    // Every camera has the trigger; only one with a head can follow.
    await http.get(`/ISAPI/PTZCtrl/channels/${channelNo}/capabilities`, signal);
    const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
    if (document.at('EventTriggerNotificationList') === undefined)
      throw new DeviceFault('not-supported', 'nothing follows an intrusion');
    return { value: { on: methodsOf(document).includes(METHOD) }, capabilities: { on: {} } };
  },
  write: async (http, channelNo, { change: { on } }, signal) => {
    const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
    const list = document.at('EventTriggerNotificationList');
    if (list === undefined || on === undefined) return;
    const others = methodsOf(document).filter((method) => method !== METHOD);
    const wanted = (on ? [...others, METHOD] : others).map(notification);
    await http.put(urlOf(channelNo), document.edited(new Map([[list, wanted]])), signal);
  },
};
