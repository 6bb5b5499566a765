// Incidents of other products, tried against ours: the place that they are tried at, one row each.
import { existsSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { once } from 'node:events';
import type { ApiClient } from '../../harness/api-client.ts';

export interface IncidentPlace {
  readonly url: string;
  /** Signed in, with cameras that are recorded; the operator. */
  readonly owner: ApiClient;
  readonly password: string;
  /** An ordinary account that sees nothing of the owner's. */
  readonly stranger: ApiClient;
  readonly dev: { readonly deviceSerial: string; readonly channelNo: number };
  readonly cameraPassword: string;
  /** A file that no command has made. */
  readonly marker: string;
}

/** Title of the test: the product, the number of the incident, and what ours keeps. */
export type Incidents = Readonly<Record<string, (place: IncidentPlace) => Promise<void>>>;

interface Wish {
  readonly method?: string;
  /** As it stands: nothing of it is normalised. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Over the public port, as a caller sends it who keeps to no client. */
export async function send(url: string, { method = 'GET', path, headers = {}, body = '' }: Wish): Promise<Got> {
  const { hostname, port } = new URL(url);
  const sent = request({
    host: hostname,
    port,
    method,
    path,
    headers: headers as Record<string, string>,
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Ways in which text becomes a command of a shell, each of which would make the marker. */
export function commands({ marker }: IncidentPlace): string[] {
  const touch = `touch ${marker}`;
  return [
    `$(${touch})`,
    `\`${touch}\``,
    `; ${touch};`,
    `| ${touch}`,
    `& ${touch} &`,
    `'; ${touch}; '`,
    `"; ${touch}; "`,
  ];
}

export function isMade({ marker }: IncidentPlace): boolean {
  return existsSync(marker);
}
