// Operations of the event service and of the subscriptions it makes: real-time pull-point notification (ONVIF Core 9.1, 9.2).
import type { XmlNode } from '../xml/xml-writer.ts';
import { element } from '../xml/xml-writer.ts';
import { endpointReference } from './endpoint-reference.ts';
import { notification } from './notification.ts';
import { operation } from './operation.ts';
import {
  type ContentSchema,
  boolean,
  dateTime,
  integer,
  many,
  one,
  optional,
  optionalAttribute,
  struct,
  token,
  tolerant,
} from './schema.ts';

const events = 'http://www.onvif.org/ver10/events/wsdl';
const notifications = 'http://docs.oasis-open.org/wsn/bw-2';

/** Times are the device's; a termination time in requests is a duration (`PT10M`) or an instant. */
export const createPullPointSubscription = operation({
  service: 'events',
  name: 'CreatePullPointSubscription',
  kind: 'write',
  action: `${events}/EventPortType/CreatePullPointSubscriptionRequest`,
  request: { InitialTerminationTime: optional(token) },
  response: {
    SubscriptionReference: one(endpointReference),
    CurrentTime: optional(dateTime, 'wsnt'),
    TerminationTime: optional(dateTime, 'wsnt'),
  },
});

export const pullMessages = operation({
  service: 'events',
  name: 'PullMessages',
  kind: 'pull',
  action: `${events}/PullPointSubscription/PullMessagesRequest`,
  request: { Timeout: one(token), MessageLimit: one(integer) },
  response: {
    CurrentTime: optional(dateTime),
    TerminationTime: optional(dateTime),
    NotificationMessage: many(tolerant(notification), 'wsnt'),
  },
});

/** Has the device tell the state of every property again, as `Initialized`. */
export const setEventSynchronizationPoint = operation({
  service: 'events',
  name: 'SetSynchronizationPoint',
  kind: 'cursor',
  action: `${events}/PullPointSubscription/SetSynchronizationPointRequest`,
  request: {},
  response: {},
});

export const renew = operation({
  service: 'events',
  name: 'Renew',
  kind: 'cursor',
  action: `${notifications}/SubscriptionManager/RenewRequest`,
  prefix: 'wsnt',
  request: { TerminationTime: one(token) },
  response: { TerminationTime: optional(dateTime), CurrentTime: optional(dateTime) },
});

export const unsubscribe = operation({
  service: 'events',
  name: 'Unsubscribe',
  kind: 'cursor',
  action: `${notifications}/SubscriptionManager/UnsubscribeRequest`,
  prefix: 'wsnt',
  request: {},
  response: {},
});

export const getEventServiceCapabilities = operation({
  service: 'events',
  name: 'GetServiceCapabilities',
  kind: 'read',
  action: `${events}/EventPortType/GetServiceCapabilitiesRequest`,
  request: {},
  response: {
    Capabilities: one(
      struct('tev', {
        WSPullPointSupport: optionalAttribute(boolean),
        MaxPullPoints: optionalAttribute(integer),
      }),
    ),
  },
});

/** The tree of topics as it is: names of elements are steps of topics. */
const topicTree: ContentSchema<readonly XmlNode[]> = {
  read: () => [],
  write: (name, topics) => element(name, {}, topics),
};

export const getEventProperties = operation({
  service: 'events',
  name: 'GetEventProperties',
  kind: 'read',
  action: `${events}/EventPortType/GetEventPropertiesRequest`,
  request: {},
  response: {
    TopicNamespaceLocation: many(token),
    FixedTopicSet: one(boolean, 'wsnt'),
    TopicSet: one(topicTree, 'wstop'),
    TopicExpressionDialect: many(token, 'wsnt'),
    MessageContentFilterDialect: many(token),
    MessageContentSchemaLocation: many(token),
  },
});
