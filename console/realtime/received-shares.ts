// Devices that came by a share while this page is open: where such a one is missing later, its share has ended.
import type { Resource } from '@vedette/contract/entities.ts';
import { IS_SHARED } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CallFailure } from '../calls/call-failure.ts';
import { useClientState } from '../session/client-state.ts';

const received = new Set<string>();

export function noteReceived(resources: readonly Resource[]): void {
  for (const resource of resources) {
    if (resource.resourceType !== 'device' || resource.device.isShared === IS_SHARED.none) continue;
    received.add(resource.device.deviceSerial);
  }
}

/** After another account signed in, what came to the one before is nobody's business. */
export function forgetReceived(): void {
  received.clear();
}

/** Also what had come before the page was loaded again (UI-06). */
function isReceived(deviceSerial: string): boolean {
  if (received.has(deviceSerial)) return true;
  return useClientState.getState().sharedList.some((device) => device.deviceSerial === deviceSerial);
}

/** What is foreign answers as missing (1009); who had it by a share is told that this has ended (1017). */
export function codeForViewer(deviceSerial: string, code: number): number {
  return code === ERROR_CODES.devNotExist && isReceived(deviceSerial) ? ERROR_CODES.shareEnded : code;
}

/** The same for a failure that is shown as it is. */
export function failureForViewer(deviceSerial: string, failure: unknown): unknown {
  if (!(failure instanceof CallFailure)) return failure;
  const code = codeForViewer(deviceSerial, failure.code);
  return code === failure.code ? failure : new CallFailure(code, failure.message, failure.data);
}
