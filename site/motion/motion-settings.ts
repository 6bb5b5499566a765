// Settings of software motion detection per channel: off by default, stored in a file, read and written as a configuration section.
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import type { ConfigSection } from '@vedette/drivers/kit/config-section.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';
import type { DetectionCells } from '@vedette/rules/motion/motion-detector.ts';

export interface ChannelMotion {
  readonly on: boolean;
  /** 1 to 100. */
  readonly sensitivity: number;
  readonly cells: DetectionCells;
}

export interface MotionSettingsOptions {
  readonly disk: Disk;
  readonly path: string;
  readonly onFault: (error: unknown) => void;
}

/** More regions than users draw; each is a few pixels of the sample. */
const GRID = { columns: 16, rows: 9 } as const;
const SENSITIVITY = { min: 1, max: 100 } as const;
const OFF: ChannelMotion = {
  on: false,
  sensitivity: 60,
  cells: { ...GRID, cells: '1'.repeat(GRID.columns * GRID.rows) },
};

export class MotionSettings {
  readonly #options: MotionSettingsOptions;
  readonly #channels = new Map<string, ChannelMotion>();

  constructor(options: MotionSettingsOptions) {
    this.#options = options;
  }

  /** An unreadable file is logged and treated as empty. */
  async load(): Promise<void> {
    try {
      const text = (await this.#options.disk.readWhole(this.#options.path)).toString('utf8');
      const channels = JSON.parse(text) as Record<string, ChannelMotion>;
      for (const [key, motion] of Object.entries(channels)) this.#channels.set(key, motion);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.#options.onFault(error);
    }
  }

  of(deviceSerial: string, channelNo: number): ChannelMotion {
    return this.#channels.get(keyOf(deviceSerial, channelNo)) ?? OFF;
  }

  section(deviceSerial: string, channelNo: number): ConfigSection<'motion'> {
    return {
      read: async () => readingOf(this.of(deviceSerial, channelNo)),
      write: (next) =>
        this.#put(keyOf(deviceSerial, channelNo), { ...this.of(deviceSerial, channelNo), ...given(next) }),
    };
  }

  async #put(key: string, motion: ChannelMotion): Promise<void> {
    const { disk, path } = this.#options;
    this.#channels.set(key, motion);
    await disk.replaceFile(path, Buffer.from(JSON.stringify(Object.fromEntries(this.#channels))));
  }
}

function keyOf(deviceSerial: string, channelNo: number): string {
  return `${deviceSerial}/${channelNo}`;
}

function given({ on, sensitivity, cells }: SectionValue<'motion'>): Partial<ChannelMotion> {
  return {
    ...(on === undefined ? {} : { on }),
    ...(sensitivity === undefined ? {} : { sensitivity }),
    ...(cells === undefined ? {} : { cells }),
  };
}

function readingOf({ on, sensitivity, cells }: ChannelMotion): SectionReading<'motion'> {
  return { value: { on, sensitivity, cells }, capabilities: { on: {}, sensitivity: SENSITIVITY, cells: GRID } };
}
