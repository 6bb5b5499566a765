// Looks names up as the system does, within a time: a name server that never answers holds up whoever named it, and nobody else.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { NO_ANSWER, OutboundError, outboundFault } from './outbound-fault.ts';

export interface LookupOptions {
  readonly signal: AbortSignal;
  /** Who named it; null: the installation. */
  readonly accountId: string | null;
}

/** One name is looked up once at a time, whoever asks. */
const underWay = new Map<string, Promise<string[]>>();
/** The system's look-ups cannot be called off, and a process has few at once: each account has one of them. */
const turns = new Map<string | null, Promise<unknown>>();

/** Every address of the name, IPv4 first. Throws OutboundError. */
export async function addressesOf(host: string, { signal, accountId }: LookupOptions): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const start = async (): Promise<string[]> => {
    // Who waited for too long does not ask any more.
    if (signal.aborted) throw new OutboundError('unreachable', NO_ANSWER);
    return await (underWay.get(host) ?? startLookup(host));
  };
  return await beforeAbort(signal, underWay.get(host) ?? inTurn(accountId, start));
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

function inTurn<T>(accountId: string | null, start: () => Promise<T>): Promise<T> {
  const mine = (turns.get(accountId) ?? Promise.resolve()).then(start);
  const end = (): void => {
    if (turns.get(accountId) === ended) turns.delete(accountId);
  };
  const ended: Promise<void> = mine.then(end, end);
  turns.set(accountId, ended);
  return mine;
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
