// Looks names up as the system does, within a time: a name server that never answers holds up neither who asks nor, for long, who asks for other names.
import { lookup } from 'node:dns/promises';
import { NO_ANSWER, OutboundError, outboundFault } from './outbound-fault.ts';

/**
 * The system's look-up cannot be called off, and few run at once: a name is looked up once at a time, whoever asks for it, and one that nobody
 * answered for in time is not looked up again before that look-up has ended.
 */
const underWay = new Map<string, Promise<string[]>>();

/** Every address of the name, IPv4 first. Throws OutboundError. */
export async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
  return await beforeAbort(signal, underWay.get(host) ?? startLookup(host));
}

function startLookup(host: string): Promise<string[]> {
  const started = lookup(host, { all: true, order: 'ipv4first' }).then(
    (found) => found.map(({ address }) => address),
    (error: unknown) => Promise.reject(outboundFault(error)),
  );
  underWay.set(host, started);
  const end = (): void => void underWay.delete(host);
  started.then(end, end);
  return started;
}

/** Rejects with "no answer in time" when `signal` aborts first; the work goes on. */
export function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new OutboundError('unreachable', NO_ANSWER));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
