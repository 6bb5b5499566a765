// How a driver offers the configuration of a channel and its device, section by section (contract/config/sections.ts).
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';

export interface ConfigSection<S extends SectionName> {
  /** Fields the device lacks are absent from both parts. Rejects with DeviceFault `not-supported` where it lacks the section. */
  read(signal?: AbortSignal): Promise<SectionReading<S>>;
  /** `next` keeps to the limits of `before`; only what differs is sent. What the device made of it is told by `read`. */
  write(next: SectionValue<S>, before: SectionReading<S>, signal?: AbortSignal): Promise<void>;
}

export interface ConfigSections {
  /** Sections the device answers for, in the order of the contract. */
  names(signal?: AbortSignal): Promise<readonly SectionName[]>;
  /** Null where the driver knows no such section. */
  section<S extends SectionName>(name: S): ConfigSection<S> | null;
  /** Switches an output of section `io`, as if something had happened. */
  switchOutput?(id: string, isOn: boolean, signal?: AbortSignal): Promise<void>;
  /** Empties a disk of section `storage` and makes it new; resolves when the device is through. */
  formatDisk?(id: string, onPercent: (percent: number) => void, signal?: AbortSignal): Promise<void>;
}
