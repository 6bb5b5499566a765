// A transport for tests that answers by path and remembers what was asked.
import type { Transport, TransportRequest } from './transport.ts';

export interface FakeTransport {
  readonly transport: Transport;
  readonly requests: TransportRequest[];
  /** Body of a request, parsed. */
  bodyOf(at: number): unknown;
}

type Answer = { readonly code: number; readonly message?: string; readonly data?: unknown } | Error;

export function fakeTransport(answer: (path: string, input: unknown, at: number) => Answer): FakeTransport {
  const requests: TransportRequest[] = [];
  const parse = (body: TransportRequest['body']): unknown => (typeof body === 'string' ? JSON.parse(body) : body);
  return {
    requests,
    bodyOf: (at) => parse(requests[at]?.body ?? null),
    transport: async (request) => {
      requests.push(request);
      const path = request.url.replace(/^.*\/api\/v1\//, '').replace(/\?.*$/, '');
      const given = answer(path, parse(request.body), requests.length - 1);
      if (given instanceof Error) throw given;
      return { status: 200, text: JSON.stringify({ message: '', data: {}, ...given }) };
    },
  };
}
