// Firmware upgrade of an ONVIF device: StartFirmwareUpgrade with the file by POST, or UpgradeSystemFirmware (ONVIF Core 8.3.9, 8.3.10).
import { getDeviceInformation, getDeviceServiceCapabilities } from '@vedette/protocols/onvif/device-operations.ts';
import { startFirmwareUpgrade, upgradeSystemFirmware } from '@vedette/protocols/onvif/maintenance-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { FirmwareFile } from '../kit/driver.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { SignedHttp } from '../kit/signed-http.ts';
import { serviceUrl } from './session/device-address.ts';
import { readDurationMs } from './session/duration.ts';
import { orNull } from './session/media-profiles.ts';
import type { OnvifSession } from './session/onvif-session.ts';

/** From the first byte to the answer, including the write to flash. */
const UPLOAD_MS = 10 * 60_000;
const MOST_DELAY_MS = 60_000;
const GREET_MS = 5000;
const CONTENT_ID = 'firmware@vedette';

type FirmwareMethod = 'http' | 'mtom';

/** Null if the device supports none. HTTP is preferred: the device can verify the file while it arrives. */
export async function firmwareMethod(session: OnvifSession): Promise<FirmwareMethod | null> {
  const answer = await orNull(session, session.call(getDeviceServiceCapabilities, {}));
  const system = answer?.Capabilities.System;
  if (system?.HttpFirmwareUpgrade === true) return 'http';
  return system?.FirmwareUpgrade === true ? 'mtom' : null;
}

export async function upgradeFirmware(
  session: OnvifSession,
  file: FirmwareFile,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await firmwareMethod(session)) === 'mtom') await sendWithin(session, file, onSent, signal);
  else await sendByPost(session, file, onSent, signal);
}

async function sendWithin(
  session: OnvifSession,
  file: FirmwareFile,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Authenticates first: a refusal would interrupt the upload.
  await session.call(getDeviceInformation, {}, signal);
  const request = { Firmware: { Include: { href: `cid:${CONTENT_ID}` } } };
  await session.callAt(upgradeSystemFirmware, request, session.device.url, {
    attached: { contentId: CONTENT_ID, bytes: file.bytes, read: () => file.read(), onSent },
    timeoutMs: UPLOAD_MS,
    signal: signal === undefined ? session.signal : AbortSignal.any([session.signal, signal]),
  });
}

async function sendByPost(
  session: OnvifSession,
  file: FirmwareFile,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { context, device, credentials } = session;
  const { UploadUri, UploadDelay } = await session.call(startFirmwareUpgrade, {}, signal);
  const delayMs = Math.min(MOST_DELAY_MS, readDurationMs(UploadDelay) ?? 0);
  if (delayMs > 0) await wait(context.clock, delayMs, signal ?? session.signal);
  const http = new SignedHttp(context, credentials, false);
  const url = serviceUrl(device, UploadUri).href;
  await http.greet(url, GREET_MS, signal);
  const { status } = await http.send({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    source: { bytes: file.bytes, read: () => file.read(), onSent },
    timeoutMs: UPLOAD_MS,
    maxBytes: 65_536,
    signal,
  });
  if (status < 200 || status > 299)
    throw new DeviceFault('not-found', 'the device takes no such firmware', { fault: `HTTP ${status}` });
}
