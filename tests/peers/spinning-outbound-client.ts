// Outbound client whose answers can demand a number of milliseconds of CPU time of the drivers' loop.
import type { OutboundClient } from '@vedette/drivers/kit/driver-context.ts';
import { createOutboundClient as createReal } from '@vedette/drivers/kit/outbound/outbound-client.ts';

export { resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';

/** Set by hostile-services.ts. */
const SPIN_HEADER = 'x-spin-ms';

export function createOutboundClient(options: Parameters<typeof createReal>[0]): OutboundClient {
  const client = createReal(options);
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
