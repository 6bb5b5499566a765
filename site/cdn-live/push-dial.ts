// Dials the servers that operators name as CDN providers, under the network policy; certificates of RTMPS and HTTPS must be valid.
import { AddressRefused, allowedAddresses, dial } from '@vedette/foundation/network/dial.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import { PushFault, type PushReason } from '@vedette/media/push/push-fault.ts';
import type { Socket } from 'node:net';

export interface PushPlace {
  readonly host: string;
  readonly port: number;
}

/** `policy` is read at every dial. Rejects with PushFault or the reason of the signal. */
export function pushDial(policy: () => NetworkPolicy) {
  return ({ host, port, isSecure }: PushPlace & { readonly isSecure: boolean }, signal: AbortSignal): Promise<Socket> =>
    orFault(dial({ host, port, tls: isSecure ? {} : null }, { resolve: resolveBySystem, policy, signal }), signal);
}

/** The one address that a program of others may call. Rejects as `pushDial` does. */
export function pushAddress(policy: () => NetworkPolicy) {
  return async ({ host, port }: PushPlace, signal: AbortSignal): Promise<string> => {
    const [first] = await orFault(
      allowedAddresses({ host, port }, { resolve: resolveBySystem, policy, signal }),
      signal,
    );
    if (first === undefined) throw new PushFault('address', 'no address may be called');
    return first;
  };
}

async function orFault<T>(done: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await done;
  } catch (error) {
    signal.throwIfAborted();
    throw new PushFault(reasonOf(error), error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function reasonOf(error: unknown): PushReason {
  if (error instanceof AddressRefused) return 'address';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^EPROTO|^ERR_SSL_/u.test(code)) return 'answer';
  return /CERT|ERR_TLS_|_VERIFY_|SELF_SIGNED|ISSUER/u.test(code) ? 'certificate' : 'unreachable';
}
