// Event service of a virtual device: pull-point subscriptions, each at an address of its own (ONVIF Core 9).

import { topicNamespaces } from '@vedette/contract/device-event.ts';
import {
  createPullPointSubscription,
  getEventProperties,
  getEventServiceCapabilities,
  pullMessages,
  renew,
  setEventSynchronizationPoint,
  unsubscribe,
} from '@vedette/protocols/onvif/event-operations.ts';
import type { QName } from '@vedette/protocols/xml/xml.ts';
import { element, type XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import type { EventMessage } from '../events/event-source.ts';
import { type EventTopic, eventTopics } from '../events/topic-catalogue.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { OnvifFault } from './onvif-fault.ts';
import { answer, type OperationCall, type OperationHandler } from './operation-handler.ts';

export const EVENT_PATH = '/onvif/event_service';

const SUBSCRIPTION_PATH = '/onvif/subscription/';
const LIFE_MS = 60_000;
const LONGEST_LIFE_MS = 3_600_000;
const LONGEST_PULL_MS = 120_000;

export function eventHandlers(device: OnvifDevice): OperationHandler[] {
  const { events } = device;
  const { pullPoints } = events;
  const lease = (id: string) => leaseOf(device, pullPoints.remainingMs(id) ?? 0);
  return [
    answer(getEventServiceCapabilities, () => ({
      Capabilities: { WSPullPointSupport: true, MaxPullPoints: events.behaviour.maxPullPoints },
    })),
    answer(getEventProperties, () => ({
      TopicNamespaceLocation: [topicNamespaces.tns1, topicNamespaces.tnsvdt],
      FixedTopicSet: true,
      TopicSet: topicTree(eventTopics),
      TopicExpressionDialect: [
        'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet',
        'http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete',
      ],
      MessageContentFilterDialect: ['http://www.onvif.org/ver10/tev/messageContentFilter/ItemFilter'],
      MessageContentSchemaLocation: ['http://www.onvif.org/onvif/ver10/schema/onvif.xsd'],
    })),
    answer(createPullPointSubscription, (request) => {
      const id = pullPoints.create(lifeOf(device, request.InitialTerminationTime));
      if (id === null) throw tooMany();
      return { SubscriptionReference: referenceOf(device, id), ...lease(id) };
    }),
    answer(pullMessages, async (request, call) => {
      const id = subscriptionOf(call);
      const timeoutMs = Math.min(durationMs(request.Timeout) ?? LIFE_MS, LONGEST_PULL_MS);
      const messages = await pullPoints.pull(id, timeoutMs, Math.max(1, request.MessageLimit), call.onGone);
      if (messages === null) throw noSubscription();
      return { ...lease(id), NotificationMessage: messages.map((message) => notificationOf(message)) };
    }),
    answer(setEventSynchronizationPoint, (_request, call) => {
      if (!pullPoints.synchronise(subscriptionOf(call))) throw noSubscription();
      return {};
    }),
    {
      ...answer(renew, (request, call) => {
        const id = subscriptionOf(call);
        if (!pullPoints.renew(id, lifeOf(device, request.TerminationTime))) throw noSubscription();
        return lease(id);
      }),
      key: notifyKey('Renew'),
    },
    {
      ...answer(unsubscribe, (_request, call) => {
        if (!pullPoints.end(subscriptionOf(call))) throw noSubscription();
        return {};
      }),
      key: notifyKey('Unsubscribe'),
    },
  ];
}

function notifyKey(name: string): string {
  return `http://docs.oasis-open.org/wsn/b-2#${name}`;
}

function referenceOf(device: OnvifDevice, id: string) {
  if (!device.events.behaviour.hasReferenceParameters) return { Address: device.httpUrl(`${SUBSCRIPTION_PATH}${id}`) };
  const parameter = element('vdt:SubscriptionId', { 'xmlns:vdt': topicNamespaces.tnsvdt }, id);
  return { Address: device.httpUrl(EVENT_PATH), ReferenceParameters: [parameter] };
}

function subscriptionOf({ path, header }: OperationCall): string {
  if (path.startsWith(SUBSCRIPTION_PATH)) return path.slice(SUBSCRIPTION_PATH.length);
  return header?.child('SubscriptionId', topicNamespaces.tnsvdt)?.text.trim() ?? '';
}

function leaseOf(device: OnvifDevice, remainingMs: number) {
  const now = device.clock.wallMs();
  return { CurrentTime: now, TerminationTime: now + Math.max(0, remainingMs) };
}

/** A duration or an instant of the device's clock. */
function lifeOf(device: OnvifDevice, word: string | undefined): number {
  if (word === undefined) return LIFE_MS;
  const instant = Date.parse(word);
  const lifeMs = durationMs(word) ?? (Number.isNaN(instant) ? LIFE_MS : instant - device.clock.wallMs());
  if (lifeMs <= 0) {
    throw new OnvifFault({
      code: 'Sender',
      subcodes: ['wsnt:UnacceptableInitialTerminationTimeFault'],
      reason: 'The time has passed',
    });
  }
  return Math.min(lifeMs, LONGEST_LIFE_MS);
}

/** xs:duration of days to seconds; null for anything else. */
function durationMs(word: string): number | null {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/u.exec(word);
  if (found === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

function tooMany(): OnvifFault {
  const subcodes = ['wsnt:SubscribeCreationFailedFault', 'ter:MaxPullPointsReached'];
  return new OnvifFault({ code: 'Receiver', subcodes, reason: 'No more subscriptions' });
}

function noSubscription(): OnvifFault {
  return new OnvifFault({ code: 'Sender', subcodes: ['wsnt:ResourceUnknownFault'], reason: 'No such subscription' });
}

function notificationOf({ topic, operation, at, source, data }: EventMessage) {
  const items = (all: Readonly<Record<string, string>>) => ({
    SimpleItem: Object.entries(all).map(([Name, Value]) => ({ Name, Value })),
  });
  const message = { UtcTime: at, Source: items(source), Data: items(data) };
  const stated = operation === null ? message : { ...message, PropertyOperation: operation };
  return { Topic: stepsOf(topic), Message: { Message: stated } };
}

function stepsOf(topic: string): QName[] {
  let namespace = '';
  return topic.split('/').map((step) => {
    const [prefix, name] = step.includes(':') ? (step.split(':') as [string, string]) : ['', step];
    const known = Object.entries(topicNamespaces).find(([one]) => one === prefix);
    if (known !== undefined) namespace = known[1];
    return { namespace, name };
  });
}

interface Placed {
  readonly topic: EventTopic;
  /** What is left of its steps below the element at hand. */
  readonly steps: readonly string[];
}

/** Topics as nested elements (WS-Topics 8), the leaves marked and described. */
function topicTree(topics: readonly EventTopic[]): XmlNode[] {
  return branches(topics.map((topic) => ({ topic, steps: topic.topic.split('/') })));
}

function branches(placed: readonly Placed[]): XmlNode[] {
  const byName = Map.groupBy(placed, ({ steps }) => steps[0] ?? '');
  return [...byName].map(([name, all]) => {
    const below = all.map(({ topic, steps }) => ({ topic, steps: steps.slice(1) }));
    const leaf = below.find(({ steps }) => steps.length === 0);
    return element(
      name,
      { 'wstop:topic': leaf === undefined ? undefined : 'true' },
      leaf === undefined ? undefined : describe(leaf.topic),
      branches(below.filter((one) => one !== leaf)),
    );
  });
}

function describe({ isProperty, channelItem, keyItem, stateItem }: EventTopic): XmlNode {
  const item = (Name: string | null, Type: string) =>
    Name === null ? undefined : element('tt:SimpleItemDescription', { Name, Type });
  return element(
    'tt:MessageDescription',
    { IsProperty: String(isProperty) },
    element('tt:Source', {}, item(channelItem, 'tt:ReferenceToken'), item(keyItem, 'tt:ReferenceToken')),
    element('tt:Data', {}, item(stateItem, 'xs:string')),
  );
}
