// Calls of the site port that search the network for devices, started, read and ended, and the schemas of what it answers.
import { z } from 'zod';
import { deviceText, done, SITE_ANSWER_LIMITS, siteText } from './site-answer-parts.ts';

export interface SiteFound {
  readonly driver: string;
  /** What `probe` is to be given. */
  readonly target: string;
  /** Endpoint reference of WS-Discovery; empty where the device was found by its address. */
  readonly endpoint: string;
  readonly deviceName: string;
  readonly deviceModel: string;
}

export interface SiteScan {
  /** Increases with every result. */
  readonly version: number;
  readonly isDone: boolean;
  /** Addresses checked so far, and in total; both 0 for multicast. */
  readonly checked: number;
  readonly total: number;
  readonly found: readonly SiteFound[];
}

export interface ScanCalls {
  scanStart: {
    input: {
      /** Null: by WS-Discovery on the networks of the site. Else an IPv4 network of at most 1024 addresses. */
      network: string | null;
      /** Null: where cameras usually listen. */
      ports: readonly number[] | null;
      isOperator: boolean;
    };
    output: { scanId: string };
  };
  /** Answers once the version is above `seen` (null: once all is over), and after `waitMs` at the latest. */
  scanRead: { input: { scanId: string; seen: number | null; waitMs: number }; output: SiteScan };
  scanEnd: { input: { scanId: string }; output: Record<string, never> };
}

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const siteFound = z.object({
  driver: siteText(SITE_ANSWER_LIMITS.token),
  target: deviceText(SITE_ANSWER_LIMITS.name),
  endpoint: deviceText(SITE_ANSWER_LIMITS.name),
  deviceName: deviceText(SITE_ANSWER_LIMITS.name),
  deviceModel: deviceText(SITE_ANSWER_LIMITS.name),
});

export const scanAnswers = {
  scanStart: z.object({ scanId: siteText(64) }),
  scanRead: z.object({
    version: count,
    isDone: z.boolean(),
    checked: count,
    total: count,
    found: z.array(siteFound).max(SITE_ANSWER_LIMITS.found),
  }),
  scanEnd: done,
};
