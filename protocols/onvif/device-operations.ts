// Operations of the device management service (ONVIF Core 8).
import { operation } from './operation.ts';
import { attribute, boolean, integer, many, one, optional, optionalAttribute, struct, text, token } from './schema.ts';

export const dateAndTime = struct('tt', {
  Time: one(struct('tt', { Hour: one(integer), Minute: one(integer), Second: one(integer) })),
  Date: one(struct('tt', { Year: one(integer), Month: one(integer), Day: one(integer) })),
});

/** Needs no authentication by the specification (8.3.2); some devices demand it nevertheless. */
export const getSystemDateAndTime = operation({
  service: 'device',
  name: 'GetSystemDateAndTime',
  kind: 'read',
  request: {},
  response: {
    SystemDateAndTime: one(
      struct('tt', {
        DateTimeType: optional(token),
        DaylightSavings: optional(boolean),
        TimeZone: optional(struct('tt', { TZ: optional(token) })),
        UTCDateTime: optional(dateAndTime),
        LocalDateTime: optional(dateAndTime),
      }),
    ),
  },
});

export const getDeviceInformation = operation({
  service: 'device',
  name: 'GetDeviceInformation',
  kind: 'read',
  request: {},
  response: {
    Manufacturer: optional(text),
    Model: optional(text),
    FirmwareVersion: optional(text),
    SerialNumber: optional(text),
    HardwareId: optional(text),
  },
});

export const getServices = operation({
  service: 'device',
  name: 'GetServices',
  kind: 'read',
  request: { IncludeCapability: one(boolean) },
  response: {
    Service: many(
      struct('tds', {
        Namespace: one(token),
        XAddr: one(token),
        Version: optional(struct('tt', { Major: optional(integer), Minor: optional(integer) })),
      }),
    ),
  },
});

const serviceAddress = struct('tt', { XAddr: optional(token) });

export const getCapabilities = operation({
  service: 'device',
  name: 'GetCapabilities',
  kind: 'read',
  request: { Category: many(token) },
  response: {
    Capabilities: one(
      struct('tt', {
        Analytics: optional(serviceAddress),
        Device: optional(serviceAddress),
        Events: optional(serviceAddress),
        Imaging: optional(serviceAddress),
        Media: optional(serviceAddress),
        PTZ: optional(serviceAddress),
        Extension: optional(
          struct('tt', {
            DeviceIO: optional(struct('tt', { XAddr: optional(token), VideoSources: optional(integer) })),
            Recording: optional(serviceAddress),
            Search: optional(serviceAddress),
            Replay: optional(serviceAddress),
          }),
        ),
      }),
    ),
  },
});

export const getScopes = operation({
  service: 'device',
  name: 'GetScopes',
  kind: 'read',
  request: {},
  response: { Scopes: many(struct('tt', { ScopeDef: optional(token), ScopeItem: one(token) })) },
});

/** The address of WS-Discovery, the same for as long as the device exists. */
export const getEndpointReference = operation({
  service: 'device',
  name: 'GetEndpointReference',
  kind: 'read',
  request: {},
  response: { GUID: optional(token) },
});

export const getNetworkInterfaces = operation({
  service: 'device',
  name: 'GetNetworkInterfaces',
  kind: 'read',
  request: {},
  response: {
    NetworkInterfaces: many(
      struct('tt', {
        token: attribute(token),
        Enabled: optional(boolean),
        Info: optional(struct('tt', { Name: optional(text), HwAddress: optional(token), MTU: optional(integer) })),
      }),
    ),
  },
});

export const getHostname = operation({
  service: 'device',
  name: 'GetHostname',
  kind: 'read',
  request: {},
  response: { HostnameInformation: one(struct('tt', { FromDHCP: optional(boolean), Name: optional(token) })) },
});

export const getDeviceServiceCapabilities = operation({
  service: 'device',
  name: 'GetServiceCapabilities',
  kind: 'read',
  request: {},
  response: {
    Capabilities: one(
      struct('tds', {
        Network: optional(struct('tds', {})),
        Security: optional(
          struct('tds', { UsernameToken: optionalAttribute(boolean), HttpDigest: optionalAttribute(boolean) }),
        ),
        System: optional(
          struct('tds', {
            /** By UpgradeSystemFirmware. */
            FirmwareUpgrade: optionalAttribute(boolean),
            HttpFirmwareUpgrade: optionalAttribute(boolean),
            StorageConfiguration: optionalAttribute(boolean),
          }),
        ),
      }),
    ),
  },
});

export const systemReboot = operation({
  service: 'device',
  name: 'SystemReboot',
  kind: 'write',
  request: {},
  response: { Message: optional(text) },
});
