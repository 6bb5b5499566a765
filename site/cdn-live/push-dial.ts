// Dials the RTMP servers that operators name as CDN providers, under the network policy; the certificate of RTMPS must be valid.
import { AddressRefused, dial } from '@vedette/foundation/network/dial.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import { PushFault, type PushReason } from '@vedette/media/push/push-fault.ts';
import type { PublishAddress } from '@vedette/protocols/rtmp/publish-address.ts';
import type { Socket } from 'node:net';

/** `policy` is read at every dial. Rejects with PushFault or the reason of the signal. */
export function pushDial(policy: () => NetworkPolicy) {
  return async ({ host, port, isSecure }: PublishAddress, signal: AbortSignal): Promise<Socket> => {
    try {
      return await dial({ host, port, tls: isSecure ? {} : null }, { resolve: resolveBySystem, policy, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new PushFault(reasonOf(error), error instanceof Error ? error.message : String(error), { cause: error });
    }
  };
}

function reasonOf(error: unknown): PushReason {
  if (error instanceof AddressRefused) return 'address';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^EPROTO|^ERR_SSL_/u.test(code)) return 'answer';
  return /CERT|ERR_TLS_|_VERIFY_|SELF_SIGNED|ISSUER/u.test(code) ? 'certificate' : 'unreachable';
}
