// Calls of the site for a device's configuration, and the schemas of their answers.
import { z } from 'zod';
import { SECTION_NAMES, type SectionName } from '../config/section-names.ts';
import { deviceValues, SITE_ANSWER_LIMITS, siteText } from './site-answer-parts.ts';

interface ConfigTarget {
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
  configSections: { input: ConfigTarget; output: { sections: readonly SectionName[] } };
  configRead: { input: ConfigTarget & { section: SectionName }; output: SiteConfigState };
  /** 1010 with the newer `SiteConfigState`; 1003 with the fields that are beyond the device's limits. */
  configWrite: {
    input: ConfigTarget & { section: SectionName; value: Readonly<Record<string, unknown>>; version: string };
    output: SiteConfigState & { differing: readonly string[] };
  };
}

/** A newer site may know sections that we do not. */
const sections = z
  .array(siteText(SITE_ANSWER_LIMITS.token))
  .max(SITE_ANSWER_LIMITS.words)
  .transform((names) =>
    names.filter((name): name is SectionName => (SECTION_NAMES as readonly string[]).includes(name)),
  );

/** Of 1010, too: the newer state. */
export const siteConfigState = z.object({
  section: z.enum(SECTION_NAMES),
  value: deviceValues,
  version: siteText(SITE_ANSWER_LIMITS.token),
  capabilities: deviceValues,
});

export const configAnswers = {
  configSections: z.object({ sections }),
  configRead: siteConfigState,
  configWrite: siteConfigState.extend({
    differing: z.array(siteText(SITE_ANSWER_LIMITS.token)).max(SITE_ANSWER_LIMITS.words),
  }),
};
