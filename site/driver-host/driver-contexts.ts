// Makes the context of each driver: outbound connections under the network policy, clock, randomness, log.

import type { Socket } from 'node:net';
import type { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { DriverContext, DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import { cameraPolicy } from '@vedette/drivers/kit/outbound/camera-policy.ts';
import { createOutboundClient, resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import { type NetworkPolicy, ownInterfaceAddresses } from '@vedette/foundation/network/network-policy.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { randomBytes } from '@vedette/foundation/random/random-numbers.ts';

export interface DriverContextsOptions {
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly ownPorts: () => ReadonlySet<number>;
  /** Current setting; invalid entries allow nothing. */
  readonly cameraNetworks: () => readonly string[];
  /** Called for each opened connection. */
  readonly onSocket?: (socket: Socket) => void;
}

export class DriverContexts {
  readonly #options: DriverContextsOptions;

  constructor(options: DriverContextsOptions) {
    this.#options = options;
  }

  /** @param trust pinned trust of the device; null for scans and unknown devices. */
  context(isOperator: boolean, signal: AbortSignal, trust: DeviceTrust | null): DriverContext {
    const { clock, log, onSocket } = this.#options;
    const outbound = createOutboundClient({
      resolve: resolveBySystem,
      policy: () => this.policy(isOperator),
      ...(trust && { checkCertificate: trust.checkCertificate }),
      ...(onSocket && { onSocket }),
    });
    return { ...outbound, clock, log, randomBytes, signal };
  }

  /** Read each time: settings and interfaces change. */
  policy(isOperator: boolean): NetworkPolicy {
    const { ownPorts, cameraNetworks } = this.#options;
    return cameraPolicy({
      isOperator,
      ownPorts: ownPorts(),
      cameraNetworks: cameraNetworks(),
      ownAddresses: ownInterfaceAddresses(),
    });
  }
}
