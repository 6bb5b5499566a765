// One `ffmpeg -c copy` per camera writing one-minute MP4 files, as ffmpeg-based recorders do.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedUrl } from '../measure/cameras.ts';
import { ended, passes } from '../measure/json-line-process.ts';
import { folderBytes } from '../measure/folder-bytes.ts';
import { treeUsage } from '../measure/process-tree.ts';
import type { Contender, Work } from './contender.ts';

export async function startFfmpegRecorders({ cameras }: Work): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ffmpeg-'));
  const children = cameras.map((camera, index) => {
    const target = join(folder, `camera${index}-%03d.mp4`);
    const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', signedUrl(camera)];
    const output = ['-c', 'copy', '-f', 'segment', '-segment_time', '60', '-segment_format_options'];
    const options = 'movflags=frag_keyframe+empty_moov+default_base_moof';
    return spawn('ffmpeg', [...input, ...output, options, target], { stdio: 'ignore' });
  });
  return {
    usage: () =>
      children
        .map(({ pid }) => treeUsage(pid ?? 0))
        .reduce((sum, one) => ({
          cpuS: sum.cpuS + one.cpuS,
          pssMiB: sum.pssMiB + one.pssMiB,
          processes: sum.processes + one.processes,
        })),
    watch: () => Promise.reject(new Error('ffmpeg serves no viewers')),
    recordedBytes: () => folderBytes(folder),
    untilPulled: async () => {
      while ((await folderBytes(folder)) === 0) await passes(250);
    },
    stop: async () => {
      await Promise.all(children.map((child) => ended(child)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
