// Device management service of a virtual device (ONVIF Core 8).

import {
  getCapabilities,
  getDeviceInformation,
  getDeviceServiceCapabilities,
  getHostname,
  getNetworkInterfaces,
  getScopes,
  getServices,
  systemReboot,
} from '@vedette/protocols/onvif/device-operations.ts';
import { type ServiceName, serviceNamespaces } from '@vedette/protocols/onvif/namespaces.ts';
import { MANUFACTURER } from '../device/device-plan.ts';
import { scopeWords } from './scope-words.ts';
import { EVENT_PATH } from './event-service.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const paths: Partial<Record<ServiceName, string>> = {
  device: '/onvif/device_service',
  media: '/onvif/media_service',
  media2: '/onvif/media2_service',
  events: EVENT_PATH,
  imaging: '/onvif/imaging_service',
  analytics: '/onvif/analytics_service',
  deviceIo: '/onvif/device_io_service',
  ptz: '/onvif/ptz_service',
  recording: '/onvif/recording_service',
  search: '/onvif/search_service',
  replay: '/onvif/replay_service',
};

export function servicesOf(device: OnvifDevice): ServiceName[] {
  const always: ServiceName[] = ['device', 'media', 'media2', 'events', 'imaging', 'analytics', 'deviceIo'];
  if (hasPtz(device)) always.push('ptz');
  return device.plan.hasHistory ? [...always, 'recording', 'search', 'replay'] : always;
}

function hasPtz({ plan }: OnvifDevice): boolean {
  return plan.channels.some(({ hasPtz }) => hasPtz === true);
}

export function deviceHandlers(device: OnvifDevice): OperationHandler[] {
  const { plan } = device;
  return [
    answer(getDeviceInformation, () => ({
      Manufacturer: MANUFACTURER,
      Model: plan.model,
      FirmwareVersion: device.firmware.version,
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
    answer(getDeviceServiceCapabilities, () => ({
      Capabilities: {
        Network: {},
        Security: { UsernameToken: true, HttpDigest: true },
        System: {
          FirmwareUpgrade: device.firmware.way !== 'http',
          HttpFirmwareUpgrade: device.firmware.way !== 'mtom',
          StorageConfiguration: true,
        },
      },
    })),
  ];
}

function capabilitiesOf(device: OnvifDevice) {
  const address = (service: ServiceName) => ({ XAddr: device.httpUrl(paths[service] ?? '') });
  const head = hasPtz(device) ? { PTZ: address('ptz') } : {};
  const history = device.plan.hasHistory
    ? { Extension: { Recording: address('recording'), Search: address('search'), Replay: address('replay') } }
    : {};
  return {
    Device: address('device'),
    Media: address('media'),
    Events: address('events'),
    Imaging: address('imaging'),
    Analytics: address('analytics'),
    ...head,
    ...history,
  };
}

function scopesOf({ plan }: OnvifDevice) {
  return scopeWords(plan).map((word) => ({ ScopeDef: 'Fixed', ScopeItem: word }));
}

/** A locally administered address made from the serial. */
function hardwareAddress(serial: string): string {
  const digits = Buffer.from(serial.padStart(5, '0').slice(-5)).toString('hex');
  return `02:${digits.match(/../g)?.join(':') ?? ''}`;
}
