// Where an RTMP stream is published: host, application and stream name, as one address carries them.
import { RtmpError } from './rtmp-error.ts';

export interface PublishAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly app: string;
  /** What the server is told that the connection is for. */
  readonly tcUrl: string;
  /** With its query, in which servers look for keys. */
  readonly streamName: string;
}

const PORTS: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 };

/** `rtmp(s)://host[:port]/app/name[?query]`; the application is the first segment. Throws RtmpError `protocol`. */
export function parsePublishAddress(address: string): PublishAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  const port = url === null ? undefined : PORTS[url.protocol];
  if (url === null || port === undefined || url.hostname === '')
    throw new RtmpError('protocol', 'not an address of RTMP');
  const [app = '', ...name] = url.pathname.slice(1).split('/');
  const streamName = `${name.join('/')}${url.search}`;
  if (app === '' || name.join('') === '') throw new RtmpError('protocol', 'the address names no stream');
  return {
    host: url.hostname,
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'rtmps:',
    app,
    tcUrl: `${url.protocol}//${url.host}/${app}`,
    streamName,
  };
}
