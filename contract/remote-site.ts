// Calls and types of remote sites: identity, media tunnel, and reachability.

/** The site beside the server; through it passes what viewers get of all others. */
export const LOCAL_SITE = 'local';

/** A ticket that a remote site holds begins with that site's id, so that the local site passes on what carries it. */
const REMOTE_TICKET = /^far-([0-9a-f]{24})-[\w-]{16,64}$/;

export function remoteTicket(siteId: string, secret: string): string {
  return `far-${siteId}-${secret}`;
}

/** Null for a ticket of the site beside the server. */
export function siteOfTicket(ticket: string): string | null {
  return REMOTE_TICKET.exec(ticket)?.[1] ?? null;
}

/** Of one registration code: wrong ones before it is void, and how long it may be used. */
export const SITE_CODE_LIMITS = { tries: 5, validMs: 24 * 3_600_000 } as const;
export const SITE_NAME_MAX = 64;
/** Of one installation. */
export const SITES_MAX = 1000;

/** Close codes of `/site` that a remote site tells its operator about. */
export const SITE_CLOSE = { notHello: 4400, refused: 4401, otherProtocol: 4406 } as const;

/** Where a remote site brings its media: a WebSocket beside the one of calls, so that pictures never hold up a word. */
export const MEDIA_TUNNEL_PATH = '/media/uplink';

/** What a direct try told counts for so long: networks change. */
export const DIRECT_ATTEMPT_VALID_MS = 10 * 60_000;

/** One try of a viewer to get media straight from a site. */
export interface DirectAttempt {
  readonly at: number;
  readonly isConnected: boolean;
}

export interface RemoteSiteCalls {
  /** To the site beside the server: the remote sites whose uplinks it takes. One that is missing is cut off. */
  uplinks: {
    input: {
      uplinks: readonly { readonly siteId: string /** SHA-256, lower-case hex. */; readonly tokenHash: string }[];
    };
    output: Record<string, never>;
  };
  /** To a remote site: bring your media to the local site with this. */
  uplink: { input: { token: string }; output: Record<string, never> };
}

/** What a remote site says of itself in its first message. */
export interface RemoteSiteHello {
  /** One-time registration code, while the site does not know yet whether its credential is accepted. */
  readonly code?: string;
  readonly version?: string;
  /** Of its network interfaces, without loopback. */
  readonly addresses?: readonly string[];
}
