// Control port commands for events: raise and clear any topic, limits of subscriptions, rules of the scene.

import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { VirtualDevice } from '../host/virtual-device.ts';
import type { SimulatedEvent } from '../events/event-source.ts';
import type { Point } from '../device/scene-rules.ts';
import { eventTopic } from '../events/topic-catalogue.ts';
import { ControlError, type Input, numberOf } from './control-input.ts';

export const eventCommands = {
  /** `{topic, channelNo?, key?, data?}`: a topic (`tns1:Device/Trigger/DigitalInput`) or an alarm type (`FireAlarm`). */
  raise: (device: VirtualDevice, input: Input) => {
    device.events.source.raise(happeningOf(device, input));
    return {};
  },
  /** As `raise`: a property is off again. */
  clear: (device: VirtualDevice, input: Input) => {
    device.events.source.clear(happeningOf(device, input));
    return {};
  },
  /** As `raise`: the source is no more. */
  'remove-source': (device: VirtualDevice, input: Input) => {
    device.events.source.remove(happeningOf(device, input));
    return {};
  },
  /** `{maxPullPoints?, hasReferenceParameters?, watchesScenes?}`: how the event service behaves. */
  events: (device: VirtualDevice, input: Input) => {
    const { behaviour } = device.events;
    if (input['maxPullPoints'] !== undefined) behaviour.maxPullPoints = numberOf(input, 'maxPullPoints');
    behaviour.hasReferenceParameters = flagOf(input, 'hasReferenceParameters', behaviour.hasReferenceParameters);
    behaviour.watchesScenes = flagOf(input, 'watchesScenes', behaviour.watchesScenes);
    return {};
  },
  /** Nobody is subscribed any more; nobody is told so. */
  'forget-subscriptions': (device: VirtualDevice) => {
    device.events.pullPoints.endAll();
    return {};
  },
  /** `{channelNo, line?: [point, point], field?: [point, …]}` with points `{x, y}` as shares of the picture. */
  'scene-rules': (device: VirtualDevice, input: Input) => {
    const channelNo = numberOf(input, 'channelNo');
    if (device.plan.channels[channelNo - 1] === undefined) throw new ControlError('no such channel');
    const settings = device.settingsOf(channelNo);
    const field = pointsOf(input, 'field', 3);
    const [from, to] = pointsOf(input, 'line', 2) ?? [];
    settings.rules = settings.rules.map((rule) => {
      if (rule.kind === 'FieldDetector' && field !== null) return { ...rule, field };
      if (rule.kind === 'LineDetector' && from !== undefined && to !== undefined) return { ...rule, line: [from, to] };
      return rule;
    });
    return {};
  },
};

function happeningOf(device: VirtualDevice, input: Input): SimulatedEvent {
  const word = input['topic'];
  if (typeof word !== 'string' || word === '') throw new ControlError('topic: a topic or an alarm type is expected');
  const isType = RAISED_ALARM_TYPE_NAMES.some((name) => name === word);
  const topic = eventTopic(isType ? `${VIRTUAL_ALARM_TOPIC}/${word}` : word);
  const channelNo = input['channelNo'] === undefined ? 0 : numberOf(input, 'channelNo');
  if (channelNo > device.plan.channels.length) throw new ControlError('no such channel');
  const key = typeof input['key'] === 'string' ? input['key'] : null;
  return { topic, channelNo, key, data: dataOf(input['data']) };
}

function dataOf(value: unknown): Record<string, string> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null) throw new ControlError('data: an object of texts is expected');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}

function flagOf(input: Input, key: string, usual: boolean): boolean {
  const value = input[key];
  return typeof value === 'boolean' ? value : usual;
}

function pointsOf(input: Input, key: string, atLeast: number): Point[] | null {
  const value = input[key];
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length < atLeast) throw new ControlError(`${key}: at least ${atLeast} points`);
  return value.map((point: Input) => ({ x: numberOf(point, 'x'), y: numberOf(point, 'y') }));
}
