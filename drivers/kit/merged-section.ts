// Merges parts of a section from several interfaces of a device: each field belongs to the first part that has it.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import type { ConfigSection } from './config-section.ts';
import { DeviceFault } from './device-fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A missing part does not affect the others; rejects with `not-supported` if all are missing. */
export function mergedSection<S extends SectionName>(parts: readonly ConfigSection<S>[]): ConfigSection<S> {
  const readAll = async (signal?: AbortSignal) => {
    const readings = await Promise.all(parts.map((part) => orLacking(part.read(signal))));
    const found = readings.filter((reading) => !(reading instanceof DeviceFault));
    const [first] = readings;
    if (found.length === 0) throw first instanceof DeviceFault ? first : new DeviceFault('not-supported', 'no part');
    return readings.map((reading) => (reading instanceof DeviceFault ? null : reading));
  };
  return {
    read: async (signal) => joined(await readAll(signal)),
    write: async (next, before, signal) => {
      const readings = await readAll(signal);
      const taken = new Set<string>();
      for (const [at, reading] of readings.entries()) {
        if (reading === null) continue;
        const own = Object.keys(reading.capabilities).filter((name) => !taken.has(name));
        for (const name of own) taken.add(name);
        const wish = only(next, own);
        const isChange = Object.entries(wish).some(
          ([name, value]) => JSON.stringify(value) !== JSON.stringify((before.value as Fields)[name]),
        );
        if (isChange) await parts[at]?.write(wish as SectionValue<S>, reading, signal);
      }
    },
  };
}

function joined<S extends SectionName>(readings: readonly (SectionReading<S> | null)[]): SectionReading<S> {
  const found = readings.filter((reading) => reading !== null).toReversed();
  return {
    value: Object.assign({}, ...found.map(({ value }) => value)),
    capabilities: Object.assign({}, ...found.map(({ capabilities }) => capabilities)),
  };
}

async function orLacking<T>(work: Promise<T>): Promise<T | DeviceFault> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DeviceFault && error.kind === 'not-supported') return error;
    throw error;
  }
}

function only(of: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)));
}
