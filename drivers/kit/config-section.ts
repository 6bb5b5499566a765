// How a driver offers the configuration of a channel and its device, section by section (contract/config/sections.ts).
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';

export interface ConfigSection<S extends SectionName> {
  /** Unsupported fields are absent from both parts. Rejects with DeviceFault `not-supported` for an unsupported section. */
  read(signal?: AbortSignal): Promise<SectionReading<S>>;
  /** `next` is within the limits of `before`; only differences are sent. `read` shows the result. */
  write(next: SectionValue<S>, before: SectionReading<S>, signal?: AbortSignal): Promise<void>;
}

export interface ConfigSections {
  /** Sections the device supports, in the order of the contract. */
  names(signal?: AbortSignal): Promise<readonly SectionName[]>;
  /** Null if the driver has no such section. */
  section<S extends SectionName>(name: S): ConfigSection<S> | null;
  /** Switches an output of section `io`, as a test. */
  switchOutput?(id: string, isOn: boolean, signal?: AbortSignal): Promise<void>;
  /** Formats a disk of section `storage`; resolves when the device has finished. */
  formatDisk?(id: string, onPercent: (percent: number) => void, signal?: AbortSignal): Promise<void>;
}
