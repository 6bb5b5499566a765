// Calls and types of remote sites: identity, media tunnel, and reachability.

/** Id of the local site, which relays the media of all others. */
export const LOCAL_SITE = 'local';

/** A ticket of a remote site has the site's id, so that the local site knows where to relay it. */
const REMOTE_TICKET = /^(?:on-[0-9a-f]{24}-)?far-([0-9a-f]{24})-[\w-]{16,64}$/;

export function remoteTicket(siteId: string, secret: string): string {
  return `far-${siteId}-${secret}`;
}

/** Null for a ticket of the site beside the server. */
export function siteOfTicket(ticket: string): string | null {
  return REMOTE_TICKET.exec(ticket)?.[1] ?? null;
}

/** Registration code: wrong attempts before it is void, and its validity. */
export const SITE_CODE_LIMITS = { tries: 5, validMs: 24 * 3_600_000 } as const;
export const SITE_NAME_MAX = 64;
/** Of one installation. */
export const SITES_MAX = 1000;

/** Close codes of `/site` that a remote site shows to its operator. */
export const SITE_CLOSE = { notHello: 4400, refused: 4401, otherProtocol: 4406 } as const;

/** Path of the media tunnel: separate from the site connection, so that media never delay calls. */
export const MEDIA_TUNNEL_PATH = '/media/uplink';

/**
 * What a stream of the media tunnel is for: `http` speaks HTTP and WebSocket with a viewer's ticket, `rtsp` brings one
 * live stream to the local site, `tracks` what edge intelligence follows on one channel.
 */
export const STREAM_USES = ['http', 'rtsp', 'tracks'] as const;
export type StreamUse = (typeof STREAM_USES)[number];

/**
 * Header of the request that opens the tunnel: the uses that the remote site serves, separated by commas. A site that is
 * asked for another one closes the tunnel, so it is asked for none that it did not name; one that names nothing is older
 * than the header and serves the first two.
 */
export const STREAM_USES_HEADER = 'vedette-stream-uses';
const USES_BEFORE_THE_HEADER: readonly StreamUse[] = ['http', 'rtsp'];

export function readStreamUses(header: string | readonly string[] | undefined): ReadonlySet<StreamUse> {
  if (typeof header !== 'string') return new Set(USES_BEFORE_THE_HEADER);
  const named = header.split(',').map((word) => word.trim());
  return new Set(STREAM_USES.filter((use) => named.includes(use)));
}

/** How long the result of a direct connection stays valid: networks change. */
export const DIRECT_ATTEMPT_VALID_MS = 10 * 60_000;

/** One attempt of a viewer to get media directly from a site. */
export interface DirectAttempt {
  readonly at: number;
  readonly isConnected: boolean;
}

export interface RemoteSiteCalls {
  /** To the local site: the remote sites whose media tunnels it accepts; others are disconnected. */
  uplinks: {
    input: {
      uplinks: readonly { readonly siteId: string /** SHA-256, lower-case hex. */; readonly tokenHash: string }[];
    };
    output: Record<string, never>;
  };
  /** To a remote site: open the media tunnel to the local site with this token. */
  uplink: { input: { token: string }; output: Record<string, never> };
}

/** What a remote site reports in its first message. */
export interface RemoteSiteHello {
  /** One-time registration code, sent until the site knows that its credential is accepted. */
  readonly code?: string;
  readonly version?: string;
  /** Addresses of its network interfaces, without loopback. */
  readonly addresses?: readonly string[];
}
