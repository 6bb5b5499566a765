// Operations on digital inputs and relay outputs (ONVIF DeviceIO 5.7 and 5.8, Core 8.5).
import { operation } from './operation.ts';
import { attribute, many, one, optional, optionalAttribute, struct, token } from './schema.ts';

/** `open` or `closed`: how its contact is while nothing happens. */
export const digitalInput = struct('tt', { token: attribute(token), IdleState: optionalAttribute(token) });

export const getDigitalInputs = operation({
  service: 'deviceIo',
  name: 'GetDigitalInputs',
  kind: 'read',
  request: {},
  response: { DigitalInputs: many(digitalInput) },
});

export const getDigitalInputOptions = operation({
  service: 'deviceIo',
  name: 'GetDigitalInputConfigurationOptions',
  kind: 'read',
  request: { Token: optional(token) },
  response: { DigitalInputOptions: one(struct('tmd', { IdleState: many(token) })) },
});

export const setDigitalInputs = operation({
  service: 'deviceIo',
  name: 'SetDigitalInputConfigurations',
  kind: 'write',
  request: { DigitalInputs: many(digitalInput) },
  response: {},
});

/** `DelayTime` is a duration: so long a monostable relay stays on. */
const relayProperties = struct('tt', {
  Mode: optional(token),
  DelayTime: optional(token),
  IdleState: optional(token),
});
export const relayOutput = struct('tt', { token: attribute(token), Properties: one(relayProperties) });

export const getRelayOutputs = operation({
  service: 'device',
  name: 'GetRelayOutputs',
  kind: 'read',
  request: {},
  response: { RelayOutputs: many(relayOutput) },
});

/** `DelayTimes` in seconds: a list, or the least and the most where they are not `Discrete`. */
export const getRelayOutputOptions = operation({
  service: 'deviceIo',
  name: 'GetRelayOutputOptions',
  kind: 'read',
  request: { RelayOutputToken: optional(token) },
  response: {
    RelayOutputOptions: many(
      struct('tmd', {
        token: attribute(token),
        Mode: many(token),
        DelayTimes: optional(token),
      }),
    ),
  },
});

export const setRelayOutputSettings = operation({
  service: 'device',
  name: 'SetRelayOutputSettings',
  kind: 'write',
  request: { RelayOutputToken: one(token), Properties: one(relayProperties) },
  response: {},
});

/** `active` or `inactive`. */
export const setRelayOutputState = operation({
  service: 'device',
  name: 'SetRelayOutputState',
  kind: 'write',
  request: { RelayOutputToken: one(token), LogicalState: one(token) },
  response: {},
});
