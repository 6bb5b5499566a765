// Our site as a process, with drivers, index, tickets and synced recording, and the gateway with the public port before it.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { SiteProcess } from '../../tests/harness/site-process.ts';
import type { Camera } from '../measure/cameras.ts';
import { passes } from '../measure/json-line-process.ts';
import { folderBytes } from '../measure/folder-bytes.ts';
import { type TreeUsage, treeUsage } from '../measure/process-tree.ts';
import type { Contender, Work } from './contender.ts';

/** Of an RTSP camera with one stream, every quality is that stream. */
const QUALITY = 1;

export async function startOwnSite({ cameras, isRecorded, isSecure }: Work): Promise<Contender> {
  // Without a recording, second streams are kept connected: every camera is pulled and cached, as the peers do it.
  // And nothing looks at their pictures for covered views, which the peers do not either: there is no ffmpeg to decode them.
  const site = await SiteProcess.create({ PATH: '', ...(!isRecorded && { VEDETTE_KEEP_WARM: '1' }) });
  await site.serve();
  await site.start();
  const devices = cameras.map((camera, index) => assignment(camera, index, isRecorded));
  await site.ok('assign', { devices, settings: site.settings });
  /** One, as soon as somebody watches. */
  const gateways = new Set<number>();
  return {
    usage: () => sum([site.pid, ...gateways].map((pid) => treeUsage(pid))),
    watch: async (index) => {
      const deviceSerial = devices[index]?.deviceSerial ?? '';
      const ticket = await site.ticket({ kind: 'live', deviceSerial, channelNo: 1, quality: QUALITY });
      const gateway = await site.gateway();
      gateways.add(gateway.process.pid ?? 0);
      return { kind: 'live', base: `${isSecure ? 'wss' : 'ws'}://127.0.0.1:${gateway.port}`, ticket };
    },
    recordedBytes: () => folderBytes(site.recordings),
    untilPulled: async () => {
      while ((await playing(site)) < cameras.length) await passes(250);
    },
    stop: () => site.stop(),
  };
}

function sum(usages: readonly TreeUsage[]): TreeUsage {
  return usages.reduce((one, other) => ({
    cpuS: one.cpuS + other.cpuS,
    pssMiB: one.pssMiB + other.pssMiB,
    processes: one.processes + other.processes,
  }));
}

async function playing(site: SiteProcess): Promise<number> {
  const { streams } = await site.ok('health', {});
  return new Set(streams.filter(({ state }) => state === 'playing').map(({ deviceSerial }) => deviceSerial)).size;
}

function assignment({ url, user, password }: Camera, index: number, isRecorded: boolean): DeviceAssignment {
  const record = isRecorded ? ({ quality: 0, retentionDays: 30 } as const) : null;
  return {
    deviceSerial: `BENCH${index}`,
    driver: 'rtsp',
    native: { urls: [url] },
    user,
    password,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: `bench${index}`, record, backfillFrom: null }],
  };
}
