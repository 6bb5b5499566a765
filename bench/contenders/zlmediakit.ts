// ZLMediaKit through its public interfaces: configuration file, HTTP API (addStreamProxy), fragmented MP4 over HTTP.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/harness/free-port.ts';
import { signedUrl } from '../measure/cameras.ts';
import { ended, passes } from '../measure/json-line-process.ts';
import { folderBytes } from '../measure/folder-bytes.ts';
import { treeUsage } from '../measure/process-tree.ts';
import { type Contender, untilAnswers, type Work } from './contender.ts';

/** Any but its default, which it replaces by one of its own. */
const SECRET = randomBytes(16).toString('hex');

interface Answer {
  readonly code: number;
  readonly msg?: string;
}

/** @param program path of its MediaServer */
export async function startZlMediaKit(program: string, { cameras, isRecorded, hasAudio }: Work): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-zlm-'));
  const port = await freePort();
  const file = join(folder, 'config.ini');
  await writeFile(file, configuration(port, folder, isRecorded, hasAudio));
  const child = spawn(program, ['-c', file, '-l', '4', '-t', '2'], { cwd: folder, stdio: 'ignore' });
  const api = async <T>(path: string, values: Readonly<Record<string, string>>): Promise<T> => {
    const query = new URLSearchParams({ secret: SECRET, ...values });
    const answer = (await (await fetch(`http://127.0.0.1:${port}/index/api/${path}?${query}`)).json()) as T & Answer;
    if (answer.code !== 0) throw new Error(`ZLMediaKit answers ${path} with ${answer.msg}`);
    return answer;
  };
  const count = async (): Promise<number> => {
    const { data = [] } = await api<{ data?: { stream: string }[] }>('getMediaList', { schema: 'fmp4' });
    return new Set(data.map(({ stream }) => stream)).size;
  };
  await untilAnswers(() => api('getApiList', {}));
  await Promise.all(
    cameras.map((camera, index) =>
      api('addStreamProxy', {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: `camera${index}`,
        url: signedUrl(camera),
        rtp_type: '0',
        enable_mp4: isRecorded ? '1' : '0',
      }),
    ),
  );
  return {
    usage: () => treeUsage(child.pid ?? 0),
    watch: (index) => Promise.resolve({ kind: 'http', url: `http://127.0.0.1:${port}/live/camera${index}.live.mp4` }),
    recordedBytes: () => folderBytes(folder),
    untilPulled: async () => {
      while ((await count()) < cameras.length) await passes(250);
    },
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Only what the work needs is switched on, which is to its advantage. */
function configuration(port: number, folder: string, isRecorded: boolean, hasAudio: boolean): string {
  const off = ['enable_hls', 'enable_hls_fmp4', 'enable_rtsp', 'enable_rtmp', 'enable_ts'];
  return [
    '[api]',
    `secret=${SECRET}`,
    '[general]',
    'mergeWriteMS=0',
    '[protocol]',
    ...off.map((name) => `${name}=0`),
    'enable_fmp4=1',
    `enable_audio=${hasAudio ? 1 : 0}`,
    `enable_mp4=${isRecorded ? 1 : 0}`,
    'mp4_max_second=60',
    `mp4_save_path=${folder}`,
    '[http]',
    `port=${port}`,
    'sslport=0',
    `rootPath=${folder}`,
    '[rtsp]',
    'port=0',
    'sslport=0',
    '[rtmp]',
    'port=0',
    'sslport=0',
    '[rtp_proxy]',
    'port=0',
    '[shell]',
    'port=0',
    '',
  ].join('\n');
}
