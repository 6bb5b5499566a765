// Options of the checker of recordings, from the command line.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';

export interface CheckOptions {
  /** The product's data folder, whose settings name the folder of recordings. */
  readonly data: string;
  /** A folder of recordings; null: those in the settings of the data folder. */
  readonly recordings: string | null;
  readonly isRepairing: boolean;
}

export const CHECK_USAGE = `npm run check:recordings -- [options]

Compares recorded files with their index and says what does not agree. Without --repair nothing is changed.

  --data <folder>        the product's data folder (default ./data, or VEDETTE_DATA)
  --recordings <folder>  one folder of recordings by itself, else all disks of the settings
  --repair               mend what is found; only while no site records there
  --help                 this text

Each finding is one line, and each folder ends with one JSON object. It ends with 0 when all agrees or was mended,
1 when findings are left, 2 when a folder could not be checked.`;

/** 'help' if requested or if the arguments are invalid. */
export function readCheckOptions(args: readonly string[], env: NodeJS.ProcessEnv): CheckOptions | 'help' | 'wrong' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        recordings: { type: 'string' },
        repair: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    return {
      data: resolve(values.data ?? env['VEDETTE_DATA'] ?? 'data'),
      recordings: values.recordings === undefined ? null : resolve(values.recordings),
      isRepairing: values.repair,
    };
  } catch (error) {
    if (error instanceof TypeError) return 'wrong';
    throw error;
  }
}
