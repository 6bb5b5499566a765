// API client for tests, typed by the contract: `call` returns the envelope, `ok` the data or throws with the code.
import type { CallInput, CallOutput, CallPath, Envelope } from '@vedette/contract/calls/calls.ts';

export class ApiClient {
  readonly base: string;
  accessToken: string | null = null;

  constructor(base: string) {
    this.base = base;
  }

  async call<P extends CallPath>(path: P, input: CallInput<P>): Promise<Envelope<CallOutput<P>>> {
    return (await this.raw(path, input)) as Envelope<CallOutput<P>>;
  }

  async ok<P extends CallPath>(path: P, input: CallInput<P>): Promise<CallOutput<P>> {
    const answer = await this.call(path, input);
    if (answer.code !== 200) throw new Error(`${path} answered ${answer.code} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }

  /** Any path and any body, as a careless or hostile caller would send it. */
  async raw(path: string, input: unknown): Promise<Envelope> {
    const response = await fetch(`${this.base}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.accessToken ? { authorization: `Bearer ${this.accessToken}` } : {}),
      },
      body: JSON.stringify(input),
    });
    return (await response.json()) as Envelope;
  }
}
