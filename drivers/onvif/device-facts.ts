// Reads what an ONVIF device reports about itself: maker, model, firmware, serial, name and kind.
import {
  getDeviceInformation,
  getEndpointReference,
  getHostname,
  getNetworkInterfaces,
  getScopes,
} from '@vedette/protocols/onvif/device-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import { deriveDeviceSerial } from '../kit/device-serial.ts';
import type { DeviceInfo, ProbedDeviceType } from '../kit/driver.ts';
import { cleanName } from './session/channel-plan.ts';
import { deviceKind } from './device-kind.ts';
import type { OnvifSession } from './session/onvif-session.ts';

export interface DeviceFacts {
  readonly info: DeviceInfo;
  readonly serial: string;
  /** False if the device reports no serial. */
  readonly hasOwnSerial: boolean;
  readonly name: string;
  readonly kind: ProbedDeviceType;
}

/** GetDeviceInformation comes first, to check the credentials: some devices accept anything else with a wrong password. */
export async function readDeviceFacts(session: OnvifSession, signal?: AbortSignal): Promise<DeviceFacts> {
  const sent = await session.call(getDeviceInformation, {}, signal);
  const info: DeviceInfo = {
    manufacturer: cleanName(sent.Manufacturer ?? ''),
    model: cleanName(sent.Model ?? ''),
    firmware: cleanName(sent.FirmwareVersion ?? ''),
  };
  const scopes = await readScopes(session, signal);
  const serialText = sent.SerialNumber?.trim() ?? '';
  const identity = { manufacturer: info.manufacturer, model: info.model, serial: serialText };
  const serial = deriveDeviceSerial({ ...identity, unique: await readUnique(session, serialText !== '', signal) });
  const name = scopes.get('name')?.[0] || (await readHostname(session, signal)) || info.model;
  return {
    info,
    serial,
    hasOwnSerial: serialText !== '',
    name: cleanName(name),
    kind: deviceKind({ model: info.model, scopes }),
  };
}

/** Scope items such as `onvif://www.onvif.org/name/Front%20door`, values by category. */
async function readScopes(session: OnvifSession, signal?: AbortSignal): Promise<Map<string, string[]>> {
  const scopes = new Map<string, string[]>();
  const answer = await optional(session, session.call(getScopes, {}, signal));
  for (const { ScopeItem } of answer?.Scopes ?? []) {
    const [, category, value] = /^onvif:\/\/www\.onvif\.org\/([^/]+)\/(.+)$/iu.exec(ScopeItem) ?? [];
    if (category === undefined || value === undefined) continue;
    const key = category.toLowerCase();
    scopes.set(key, [...(scopes.get(key) ?? []), decodeScope(value)]);
  }
  return scopes;
}

function decodeScope(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return value;
  }
}

async function readHostname(session: OnvifSession, signal?: AbortSignal): Promise<string> {
  const answer = await optional(session, session.call(getHostname, {}, signal));
  return answer?.HostnameInformation.Name ?? '';
}

/**
 * What stays when the device is moved: the first MAC address, else the serial number as it is, else the endpoint
 * reference. The address we dialled is the last resort.
 */
async function readUnique(session: OnvifSession, hasSerial: boolean, signal?: AbortSignal): Promise<string> {
  const answer = await optional(session, session.call(getNetworkInterfaces, {}, signal));
  const addresses = (answer?.NetworkInterfaces ?? []).map(({ Info }) => Info?.HwAddress?.toLowerCase() ?? '');
  const mac = addresses.filter((address) => /[1-9a-f]/u.test(address)).toSorted()[0];
  if (mac !== undefined) return mac;
  if (hasSerial) return '';
  const reference = await optional(session, session.call(getEndpointReference, {}, signal));
  return reference?.GUID?.trim().toLowerCase() || session.device.url.host;
}

/** Optional details: their failure does not matter while the device answers and accepts us. */
async function optional<T>(session: OnvifSession, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const isMinor = error instanceof DeviceFault && ['device', 'not-supported', 'auth'].includes(error.kind);
    if (!isMinor) throw error;
    session.context.log.debug({ fault: error.fault }, error.message);
    return null;
  }
}
