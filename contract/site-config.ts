// What the server asks of the site about a device's configuration.
import type { SectionName } from './config/section-names.ts';

interface ConfigPlace {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface SiteConfigState {
  readonly section: SectionName;
  readonly value: Readonly<Record<string, unknown>>;
  readonly version: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

export interface ConfigCalls {
  configSections: { input: ConfigPlace; output: { sections: readonly SectionName[] } };
  configRead: { input: ConfigPlace & { section: SectionName }; output: SiteConfigState };
  /** 1010 with the newer `SiteConfigState`; 1003 with the fields that are beyond the device's limits. */
  configWrite: {
    input: ConfigPlace & { section: SectionName; value: Readonly<Record<string, unknown>>; version: string };
    output: SiteConfigState & { differing: readonly string[] };
  };
}
