// The owner at work while a product is attacked: calls one after another, in a thread of their own, and how long each took.
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
