// Port of the server to one site, to all of them, and to those of other servers.
import type { SiteCallName, SiteCalls } from '@vedette/contract/site/site.ts';

export interface SitePort {
  readonly isOnline: () => boolean;
  /** RTSP address; null while the site is disconnected or serves none. */
  readonly rtspPort: () => number | null;
  /** Live streams can be transcoded to H.264. */
  readonly canTranscode: () => boolean;
  /** Throws 1012 without the local site (2317 `siteAway` without a remote one), 2317 or 1012 after a timeout, else the site's code. */
  readonly call: <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']>;
}

export interface ConnectedSite {
  readonly siteId: string;
  readonly site: SitePort;
}

/** Where the media of a site are served. */
export interface MediaPlace {
  /** The site process that relays its live video: that of the machine whose server the site is connected to. */
  readonly siteId: string;
  /** The server, as tickets name it; null: there is one server. */
  readonly nodeId: string | null;
  /** It is this machine. */
  readonly isHere: boolean;
}

/**
 * As a port it is online while the local site is, serves and transcodes what the site process of this machine does, and calls go
 * to the site of the device or channel in their input. Whichever server a site is connected to, it answers.
 */
export interface SitesPort extends SitePort {
  readonly at: (siteId: string) => SitePort;
  readonly of: (deviceSerial: string) => Promise<SitePort>;
  /** Connected to any server. */
  readonly online: () => readonly ConnectedSite[];
  /** Connected to this server, which does for them what one server has to do. */
  readonly here: () => readonly ConnectedSite[];
  /** The same with the site process of this machine, where the local site is that of another server. */
  readonly linked: () => readonly ConnectedSite[];
  readonly mediaPlace: (siteId: string) => MediaPlace;
}

/** Those that are connected to other servers of the same database. */
export interface SitesElsewhere {
  /** Of this server among the others; null: it is alone. */
  readonly ownNodeId: string | null;
  /** The other server that has it; null: none that is reached. */
  readonly nodeOf: (siteId: string) => string | null;
  /** Null where no other server that is reached has it. */
  readonly at: (siteId: string) => SitePort | null;
  readonly siteIds: () => readonly string[];
  /** `epoch`: of the line of the site to the other server; null: the other server does not have it any more. */
  readonly whenChanged: (callback: (siteId: string, epoch: number | null) => void) => void;
}
