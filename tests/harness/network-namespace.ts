// A second network namespace with one link to the machine's own, for discovery across machines.
import { spawnSync } from 'node:child_process';

/** Of the range for examples (RFC 5737), nobody's: four addresses of it for each process, so that two tests stand side by side. */
const FIRST = 4 * (process.pid % 64);
const HERE = `198.51.100.${FIRST + 1}`;
const THERE = `198.51.100.${FIRST + 2}`;

export interface NetworkNamespace {
  /** Of this machine, as seen from there. */
  readonly here: string;
  /** The end of the cable on this side: what leaves there comes in here. */
  readonly cable: string;
  /** Put in front of a command to run it there. */
  readonly prefix: readonly string[];
  remove(): void;
}

/** Null where it cannot be made: that is for root alone. */
export function createNetworkNamespace(): NetworkNamespace | null {
  const name = `vedette-${process.pid}`;
  const [near, far] = [`vdn${process.pid % 100_000}`, `vdf${process.pid % 100_000}`];
  const steps = [
    `netns add ${name}`,
    `link add ${near} type veth peer name ${far} netns ${name}`,
    `addr add ${HERE}/30 dev ${near}`,
    `link set ${near} up`,
    `-n ${name} addr add ${THERE}/30 dev ${far}`,
    `-n ${name} link set ${far} up`,
    `-n ${name} link set lo up`,
    `-n ${name} route add default via ${HERE}`,
  ];
  // The cable goes with its network.
  const remove = (): void => void ip(`netns del ${name}`);
  for (const step of steps) {
    if (ip(step)) continue;
    remove();
    return null;
  }
  return { here: HERE, cable: near, prefix: ['ip', 'netns', 'exec', name], remove };
}

function ip(words: string): boolean {
  return spawnSync('ip', words.split(' '), { stdio: 'ignore' }).status === 0;
}
