// Makes all packages; the types that two of them write out are found by one run of the compiler.
import { packageBridge } from './package-bridge.ts';
import { packageClient } from './package-client.ts';
import { packagePlayer } from './package-player.ts';
import type { PackageOrder } from './packed-folder.ts';
import { writtenTypes } from './written-types.ts';

/** @returns the file of each tarball */
export async function packageAll(
  order: PackageOrder,
): Promise<Readonly<Record<'client' | 'player' | 'bridge', string>>> {
  const files = ['sdk/client/call-types.ts', 'sdk/bridge/topic-types.ts'];
  const [callTypes = '', topicTypes = ''] = writtenTypes(order.root, files);
  return {
    client: await packageClient(order, callTypes),
    player: await packagePlayer(order),
    bridge: await packageBridge(order, topicTypes),
  };
}
