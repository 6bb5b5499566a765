// What a call fails with: the server's code, or no answer at all.
import { errorName } from '@vedette/contract/errors.ts';

/** The server answered with another code than 200. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly path: string;
  readonly code: number;
  /** Name of the code, such as `permissionDenied`; empty where this version does not know it. */
  readonly reason: string;
  /** What explains the code, for some codes; `https://…/api/docs` says for which. */
  readonly data: unknown;

  constructor(path: string, answer: { readonly code: number; readonly message: string; readonly data: unknown }) {
    super(`${path} answered ${answer.code} ${errorName(answer.code) ?? answer.message}`);
    this.path = path;
    this.code = answer.code;
    this.reason = errorName(answer.code) ?? '';
    this.data = answer.data;
  }
}

/** Nothing came that a server of Vedette says: no connection, a time-out, a page of a proxy. `cause` says more. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path} was not answered`, { cause });
    this.path = path;
  }
}
