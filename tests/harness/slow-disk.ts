// A disk of limited write rate and sync time, over real files.
import { createDisk, type Disk, type DiskFile } from '@vedette/media/recordings/disk.ts';

export function slowDisk({ syncMs, bytesPerMs }: { readonly syncMs: number; readonly bytesPerMs: number }): Disk {
  const real = createDisk();
  let freeAtMs = 0;
  /** Writes queue up behind each other, as on one spindle. */
  const take = async (ms: number): Promise<void> => {
    freeAtMs = Math.max(performance.now(), freeAtMs) + ms;
    await after(freeAtMs - performance.now());
  };
  const slow = (file: DiskFile): DiskFile => ({
    read: (buffer, at) => file.read(buffer, at),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    close: () => file.close(),
    sync: async () => {
      await after(syncMs);
      await file.sync();
    },
    writeAll: async (buffers, at) => {
      await take(buffers.reduce((sum, one) => sum + one.length, 0) / bytesPerMs);
      await file.writeAll(buffers, at);
    },
  });
  return { ...real, createFile: async (path) => slow(await real.createFile(path)) };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
