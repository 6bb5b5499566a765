// Virtual cameras of one bit rate in a process of their own, not counted for any contender.
import { JsonLineProcess } from './json-line-process.ts';

export interface Camera {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

export interface Cameras {
  readonly list: readonly Camera[];
  stop(): Promise<void>;
}

export async function startCameras(count: number, kbps: number, hasAudio = false): Promise<Cameras> {
  const script = new URL('../../virtual-devices/main-virtual-devices.js', import.meta.url).pathname;
  const child = new JsonLineProcess(script, [
    '--scale',
    String(count),
    '--bitrate',
    String(kbps),
    ...(hasAudio ? ['--sound'] : []),
  ]);
  const ready = JSON.parse(await child.line()) as { devices: { target: string; user: string; password: string }[] };
  return {
    list: ready.devices.map(({ target, user, password }) => ({ url: target, user, password })),
    stop: () => child.stop(),
  };
}

/** The address with user and password inside, for programs that take nothing else. */
export function signedUrl({ url, user, password }: Camera): string {
  return url.replace('://', `://${user}:${password}@`);
}
