// Disks that fail as real ones do: power loss after some bytes, or no space left.
import { createDisk, type Disk, type DiskFile } from '../recordings/disk.ts';

/** After so many bytes read and written of an export nothing reaches the disk any more, as at a kill. */
export class DiskPower {
  readonly disk: Disk;
  #left: number;
  isOff = false;

  constructor(bytes: number) {
    this.#left = bytes;
    this.disk = wrapped((file) => this.#wrap(file), {
      beforeChange: async () => {
        if (this.isOff) await never();
      },
    });
  }

  #wrap(file: DiskFile): DiskFile {
    const spend = async (bytes: number): Promise<void> => {
      this.#left -= bytes;
      if (this.#left > 0) return;
      this.isOff = true;
      // What holds files open lets go of them; what would write or remove waits for ever.
      throw new Error('the power is off');
    };
    return {
      ...bound(file),
      writeAll: async (buffers, position) => {
        await file.writeAll(buffers, position);
        await spend(buffers.reduce((sum, one) => sum + one.length, 0));
      },
      read: async (buffer, position) => {
        await spend(buffer.length);
        return await file.read(buffer, position);
      },
    };
  }
}

export function fullDisk(afterBytes: number): Disk {
  return wrapped((file) => ({
    ...bound(file),
    writeAll: async (buffers, position) => {
      const end = position + buffers.reduce((sum, one) => sum + one.length, 0);
      if (end > afterBytes) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await file.writeAll(buffers, position);
    },
  }));
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Only files that are being exported to are wrapped. */
function wrapped(
  wrap: (file: DiskFile) => DiskFile,
  { beforeChange = () => Promise.resolve() }: { readonly beforeChange?: () => Promise<void> } = {},
): Disk {
  const disk = createDisk();
  return {
    ...disk,
    createFile: async (path) => {
      const file = await disk.createFile(path);
      return path.endsWith('export.data') ? wrap(file) : file;
    },
    replaceFile: async (path, bytes) => {
      await beforeChange();
      await disk.replaceFile(path, bytes);
    },
    removeFile: async (path) => {
      await beforeChange();
      await disk.removeFile(path);
    },
  };
}

function bound(file: DiskFile): DiskFile {
  return {
    writeAll: (buffers, position) => file.writeAll(buffers, position),
    read: (buffer, position) => file.read(buffer, position),
    sync: () => file.sync(),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    close: () => file.close(),
  };
}
