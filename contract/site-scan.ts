// Calls of the site port that search the network for devices: a scan is started, read as it goes on, and ended.

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
  /** Grows with whatever is found. */
  readonly version: number;
  readonly isDone: boolean;
  /** Addresses done with, of how many; both 0 for a search by multicast. */
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
