// New firmware for an ONVIF device: StartFirmwareUpgrade, and the file by POST to the address it names (ONVIF Core 8.3.9).
import { getDeviceServiceCapabilities } from '@vedette/protocols/onvif/device-operations.ts';
import { startFirmwareUpgrade } from '@vedette/protocols/onvif/maintenance-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { FirmwareFile } from '../kit/driver.ts';
import { pause } from '../kit/pause.ts';
import { SignedHttp } from '../kit/signed-http.ts';
import { serviceUrl } from './device-address.ts';
import { readDurationMs } from './duration.ts';
import { orNull } from './media-profiles.ts';
import type { OnvifSession } from './onvif-session.ts';

/** From the first byte to the answer; devices write to flash meanwhile. */
const UPLOAD_MS = 10 * 60_000;
const MOST_DELAY_MS = 60_000;
const GREET_MS = 5000;

/** False where the device does not say so. */
export async function takesFirmware(session: OnvifSession): Promise<boolean> {
  const answer = await orNull(session, session.call(getDeviceServiceCapabilities, {}));
  return answer?.Capabilities.System?.HttpFirmwareUpgrade === true;
}

export async function upgradeFirmware(
  session: OnvifSession,
  file: FirmwareFile,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { context, device, credentials } = session;
  const { UploadUri, UploadDelay } = await session.call(startFirmwareUpgrade, {}, signal);
  const delayMs = Math.min(MOST_DELAY_MS, readDurationMs(UploadDelay) ?? 0);
  if (delayMs > 0) await pause(context.clock, delayMs, signal ?? session.signal);
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
