// The calls of a player, each with the access token that its embedder has at that moment.
import { SUCCESS } from '@vedette/contract/errors.ts';
import type { Calls } from '../client/call-types.ts';
import { type Answer, exchange } from '../client/exchange.ts';
import type { PlayerError, TokenSource } from './element-types.ts';

export interface CameraChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** Without the name of the code, whose table the pages of others need not load. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: number;
  readonly data: unknown;

  constructor(path: string, { code, message, data }: Answer) {
    super(`${path} answered ${code} ${message}`);
    this.code = code;
    this.data = data;
  }
}

export class ServerCalls {
  readonly #server: string;
  readonly #tokenSource: TokenSource;

  /** `server`: its address without a path. */
  constructor(server: string, tokenSource: TokenSource) {
    this.#server = server;
    this.#tokenSource = tokenSource;
  }

  /** @throws RefusedError, NoAnswerError, and what the token source throws */
  async call<P extends keyof Calls>(
    path: P,
    input: Calls[P]['input'],
    signal?: AbortSignal,
  ): Promise<Calls[P]['answer']> {
    const token = await this.#tokenSource();
    const address = `${this.#server}/api/v1/${path}`;
    const body = JSON.stringify(input);
    const answer = await exchange({ path, address, body, type: 'application/json', token, signal });
    if (answer.code !== SUCCESS) throw new RefusedError(path, answer);
    return answer.data as Calls[P]['answer'];
  }
}

/** Null where the server was not reached. */
export function refusalOf(failure: unknown): PlayerError | null {
  if (!(failure instanceof RefusedError)) return null;
  const { code, data } = failure;
  return { code, reason: reasonOf(data) };
}

/** Of a device, with the codes 2316 and 2317. */
function reasonOf(data: unknown): string | null {
  const isGiven = typeof data === 'object' && data !== null && 'reason' in data;
  return isGiven && typeof data.reason === 'string' ? data.reason : null;
}
