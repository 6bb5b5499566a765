// Refuses results that are too large to cross to the recorder's loop, before they cross.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceDescription } from '@vedette/drivers/kit/driver.ts';

/** Per result: values of all kinds, and characters of text. A recorder of 256 channels needs a tenth of it. */
const VALUES_MAX = 50_000;
const CHARACTERS_MAX = 1_000_000;
const TEXT_MAX = 64_000;
const DEPTH_MAX = 16;
/** Further channels of a device are left out. */
const CHANNELS_MAX = 1024;

interface Sizes {
  values: number;
  characters: number;
}

/** Returns the same value; throws DeviceFault `device` if it is too large. */
export function bounded<T>(value: T): T {
  walk(value, 0, { values: 0, characters: 0 });
  return value;
}

export function boundedDescription<T extends DeviceDescription>(description: T): T {
  const { channels, warnings } = description;
  return bounded({
    ...description,
    channels: channels.slice(0, CHANNELS_MAX),
    warnings: warnings.slice(0, CHANNELS_MAX),
  });
}

function walk(value: unknown, depth: number, sizes: Sizes): void {
  sizes.values += 1;
  if (sizes.values > VALUES_MAX || depth > DEPTH_MAX) throw tooLarge();
  if (typeof value === 'string') return text(value, sizes);
  if (!hasValues(value)) return;
  if (Array.isArray(value) || value instanceof Set) {
    for (const one of value) walk(one, depth + 1, sizes);
    return;
  }
  for (const [name, one] of value instanceof Map ? value : Object.entries(value)) {
    text(String(name), sizes);
    walk(one, depth + 1, sizes);
  }
}

function hasValues(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function text(value: string, sizes: Sizes): void {
  sizes.characters += value.length;
  if (value.length > TEXT_MAX || sizes.characters > CHARACTERS_MAX) throw tooLarge();
}

function tooLarge(): DeviceFault {
  return new DeviceFault('device', 'the device says more than is taken', { fault: 'answer too large' });
}
