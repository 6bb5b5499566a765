// The owner's calls during an attack, one after another in their own thread, with the time of each.
import { parentPort, workerData } from 'node:worker_threads';
import { ApiClient } from '../harness/api-client.ts';

const { url, accessToken, calls } = workerData as { url: string; accessToken: string; calls: number };
const owner = new ApiClient(url);
owner.accessToken = accessToken;
// The first one looks the name up and opens the connection.
await owner.ok('device/list', {});
const times: number[] = [];
for (let call = 0; call < calls; call += 1) {
  const from = performance.now();
  await owner.ok('device/list', {});
  times.push(performance.now() - from);
}
parentPort?.postMessage(times);
