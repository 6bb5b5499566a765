// Device management service of a virtual device (ONVIF Core 8).

import {
  getCapabilities,
  getDeviceInformation,
  getHostname,
  getNetworkInterfaces,
  getScopes,
  getServices,
  getSystemDateAndTime,
  systemReboot,
} from '@vedette/protocols/onvif/device-operations.ts';
import { type ServiceName, serviceNamespaces } from '@vedette/protocols/onvif/namespaces.ts';
import { element } from '@vedette/protocols/xml/xml-writer.ts';
import { FIRMWARE, MANUFACTURER } from '../device/device-plan.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { answer, answerPlain, type OperationHandler } from './operation-handler.ts';

const paths: Partial<Record<ServiceName, string>> = {
  device: '/onvif/device_service',
  media: '/onvif/media_service',
  media2: '/onvif/media2_service',
  imaging: '/onvif/imaging_service',
  recording: '/onvif/recording_service',
  search: '/onvif/search_service',
  replay: '/onvif/replay_service',
};

export function servicesOf(device: OnvifDevice): ServiceName[] {
  const always: ServiceName[] = ['device', 'media', 'media2', 'imaging'];
  return device.plan.hasHistory ? [...always, 'recording', 'search', 'replay'] : always;
}

export function deviceHandlers(device: OnvifDevice): OperationHandler[] {
  const { plan } = device;
  return [
    answer(getSystemDateAndTime, () => ({ SystemDateAndTime: timeOf(device.clock.wallMs()) })),
    answer(getDeviceInformation, () => ({
      Manufacturer: MANUFACTURER,
      Model: plan.model,
      FirmwareVersion: FIRMWARE,
      SerialNumber: plan.serial,
      HardwareId: 'virtual',
    })),
    answer(getServices, () => ({
      Service: servicesOf(device).map((service) => ({
        Namespace: serviceNamespaces[service],
        XAddr: device.httpUrl(paths[service] ?? ''),
        Version: { Major: service === 'media2' ? 21 : 20, Minor: 12 },
      })),
    })),
    answer(getCapabilities, () => ({ Capabilities: capabilitiesOf(device) })),
    answer(getScopes, () => ({ Scopes: scopesOf(device) })),
    answer(getNetworkInterfaces, () => ({
      NetworkInterfaces: [
        { token: 'eth0', Enabled: true, Info: { Name: 'eth0', HwAddress: hardwareAddress(plan.serial), MTU: 1500 } },
      ],
    })),
    answer(getHostname, () => ({ HostnameInformation: { FromDHCP: false, Name: plan.serial.toLowerCase() } })),
    answer(systemReboot, () => {
      device.reboot();
      return { Message: 'The device is offline for a few seconds' };
    }),
    answerPlain('device', 'GetServiceCapabilities', () =>
      element(
        'tds:GetServiceCapabilitiesResponse',
        {},
        element(
          'tds:Capabilities',
          {},
          element('tds:Network'),
          element('tds:Security', { UsernameToken: 'true', HttpDigest: 'true' }),
          element('tds:System'),
        ),
      ),
    ),
  ];
}

function timeOf(utcMs: number) {
  const now = new Date(utcMs);
  return {
    DateTimeType: 'NTP',
    DaylightSavings: false,
    TimeZone: { TZ: 'UTC0' },
    UTCDateTime: {
      Time: { Hour: now.getUTCHours(), Minute: now.getUTCMinutes(), Second: now.getUTCSeconds() },
      Date: { Year: now.getUTCFullYear(), Month: now.getUTCMonth() + 1, Day: now.getUTCDate() },
    },
  };
}

function capabilitiesOf(device: OnvifDevice) {
  const address = (service: ServiceName) => ({ XAddr: device.httpUrl(paths[service] ?? '') });
  const history = device.plan.hasHistory
    ? { Extension: { Recording: address('recording'), Search: address('search'), Replay: address('replay') } }
    : {};
  return { Device: address('device'), Media: address('media'), Imaging: address('imaging'), ...history };
}

function scopesOf(device: OnvifDevice) {
  const { plan } = device;
  const words = [
    'Profile/Streaming',
    'Profile/T',
    ...(plan.hasHistory ? ['Profile/G'] : []),
    `type/${plan.kind === 'camera' ? 'video_encoder' : 'Network_Video_Storage'}`,
    `name/${encodeURIComponent(plan.name)}`,
    `hardware/${encodeURIComponent(plan.model)}`,
  ];
  return words.map((word) => ({ ScopeDef: 'Fixed', ScopeItem: `onvif://www.onvif.org/${word}` }));
}

/** A locally administered address made from the serial. */
function hardwareAddress(serial: string): string {
  const digits = Buffer.from(serial.padStart(5, '0').slice(-5)).toString('hex');
  return `02:${digits.match(/../g)?.join(':') ?? ''}`;
}
