// A small file system in a loop-mounted image or in memory, for tests that fill, cut or unmount a disk; root alone may mount.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MountedDisk {
  readonly folder: string;
  /** The image below it; null where it lives in memory. */
  readonly image: string | null;
  mount(): void;
  /** Also while files are open. */
  unmount(): void;
  remove(): void;
}

/** Whether this machine lets us mount at all; tests of a mount are skipped where it does not. */
export const canMount = tries('tmpfs', ['-t', 'tmpfs', '-o', 'size=1m', 'none']);
export const canMountImages = canMount && spawnSync('mkfs.ext4', ['-V']).status === 0 && triesLoop();

export function memoryDisk(megabytes: number): MountedDisk {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  return mounted(folder, null, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', join(folder, 'disk')]);
}

export function imageDisk(megabytes: number): MountedDisk {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  const image = join(folder, 'image');
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  run('mkfs.ext4', ['-q', '-F', image]);
  return mounted(folder, image, ['-o', 'loop', image, join(folder, 'disk')]);
}

/** The copy of an image as a machine would find it after a power cut. */
export function copiedDisk(bytes: Uint8Array): MountedDisk {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  const image = join(folder, 'image');
  writeFileSync(image, bytes);
  return mounted(folder, image, ['-o', 'loop', image, join(folder, 'disk')]);
}

function mounted(parent: string, image: string | null, args: readonly string[]): MountedDisk {
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  const disk: MountedDisk = {
    folder,
    image,
    mount: () => run('mount', args),
    unmount: () => run('umount', ['-l', folder]),
    remove: () => {
      spawnSync('umount', ['-l', folder]);
      rmSync(parent, { recursive: true, force: true });
    },
  };
  disk.mount();
  return disk;
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

function tries(name: string, args: readonly string[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), `can-${name}-`));
  const isMounted = spawnSync('mount', [...args, folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}

function triesLoop(): boolean {
  try {
    imageDisk(8).remove();
    return true;
  } catch {
    return false;
  }
}
