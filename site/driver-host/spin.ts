// Test hook: a device's answer can demand a number of milliseconds of CPU time of the drivers' loop.
import type { OutboundClient } from '@vedette/drivers/kit/driver-context.ts';

/** Set by the hostile camera of the tests. */
const SPIN_HEADER = 'x-vedette-spin-ms';

export function spinning(client: OutboundClient): OutboundClient {
  return {
    ...client,
    http: async (request) => {
      const answer = await client.http(request);
      const ms = Number(answer.headers.get(SPIN_HEADER)?.[0] ?? 0);
      for (const from = performance.now(); performance.now() - from < ms; );
      return answer;
    },
  };
}
