// How a handler of the site refuses a call of the server.

/** An answer with a code of the table. */
export class CallRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, data: unknown = null) {
    super(`refused with ${code}`);
    this.code = code;
    this.data = data;
  }
}
