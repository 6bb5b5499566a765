// Resolves addresses that a device gives: behind NAT or on several networks it may name hosts that we cannot reach.

/** The parts we dialled and know to work. */
export interface DialledDevice {
  /** URL of the device service as given by the user. */
  readonly url: URL;
  /** False trusts the host the device names (a switch per device). */
  readonly keepHost: boolean;
}

/** Path from the device, scheme, host and port as dialled. */
export function serviceUrl(dialled: DialledDevice, advertised: string): URL {
  const given = parse(advertised, dialled.url);
  if (!dialled.keepHost) return given;
  const kept = new URL(dialled.url);
  kept.pathname = given.pathname;
  kept.search = given.search;
  return kept;
}

/**
 * A snapshot may be served on a port of its own. Where the device names the same port for its services
 * (`advertisedService`), that port is the one we dialled; any other is taken as it is.
 */
export function snapshotUrl(dialled: DialledDevice, advertised: string, advertisedService: string | null): URL {
  const given = parse(advertised, dialled.url);
  if (!dialled.keepHost) return withoutUser(given);
  const service = advertisedService === null ? null : parse(advertisedService, dialled.url);
  if (service === null || (service.port === given.port && service.protocol === given.protocol)) {
    return serviceUrl(dialled, advertised);
  }
  given.hostname = dialled.url.hostname;
  return withoutUser(given);
}

/** RTSP has its own port, so only the host is replaced. Path and query stay as written: devices compare them byte by byte. */
export function streamUrl(dialled: DialledDevice, advertised: string): string | null {
  const parts = /^(rtsps?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(:\d{1,5})?([/?][^\s#]*)?$/iu.exec(advertised.trim());
  if (parts === null) return null;
  const [, scheme = '', host = '', port = '', rest = ''] = parts;
  const kept = dialled.keepHost || host === '' ? dialled.url.hostname : host;
  return `${scheme.toLowerCase()}://${kept}${port}${rest}`;
}

/** The host the device believes to have, when it is not the one we dialled. */
export function differingHost(dialled: DialledDevice, advertised: string): string | null {
  const given = parse(advertised, dialled.url);
  return given.hostname === dialled.url.hostname ? null : given.hostname;
}

function parse(advertised: string, base: URL): URL {
  const text = advertised.trim().split(/\s+/u)[0] ?? '';
  const url = URL.parse(text, base.href);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : new URL(base.href);
}

function withoutUser(url: URL): URL {
  url.username = '';
  url.password = '';
  return url;
}
