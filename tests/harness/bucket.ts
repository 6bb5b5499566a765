// A bucket in memory that speaks as much of S3 as backups need, and is strict about signatures, regions and digests; Ceph's gateway is the real one.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';

interface StoredObject {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Fewer than S3's thousand, so that lists have pages. */
const PAGE_KEYS = 3;

export class Bucket {
  readonly name = 'backups';
  readonly region = 'here-1';
  readonly keys = { accessKey: 'OWNER', secretKey: 'owner-secret' };
  readonly objects = new Map<string, StoredObject>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<Bucket> {
    const made = new Bucket();
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  address(prefix: string, { port = this.port, region = this.region, name = this.name } = {}): string {
    return `s3://${name}/${prefix}?endpoint=http://127.0.0.1:${port}&region=${region}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${request.headers.host ?? ''}`);
    const [, bucket, ...rest] = url.pathname.split('/');
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const refused = (await this.#refusal(request, url, body)) ?? (bucket === this.name ? null : 'NoSuchBucket');
    if (refused !== null) return refuse(response, refused);
    const key = rest.join('/');
    if (key === '') return this.#list(url.searchParams, response);
    if (request.method === 'PUT') this.objects.set(key, { bytes: body, sha256: digestOf(body) });
    else if (request.method === 'DELETE') this.objects.delete(key);
    else return this.#give(key, request, response);
    response.writeHead(200).end();
  }

  #give(key: string, { method, headers: asked }: IncomingMessage, response: ServerResponse): void {
    const found = this.objects.get(key);
    if (found === undefined) return refuse(response, 'NoSuchKey');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? [];
    const bytes = from === undefined ? found.bytes : found.bytes.subarray(Number(from), Number(to) + 1);
    const headers = { 'content-length': bytes.length, 'x-amz-meta-sha256': found.sha256 };
    response.writeHead(from === undefined ? 200 : 206, headers).end(method === 'HEAD' ? undefined : bytes);
  }

  async #refusal({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): Promise<string | null> {
    const { authorization = '' } = headers;
    const [, accessKey, region, names = ''] =
      /Credential=(\w+)\/\d+\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+)/.exec(authorization) ?? [];
    if (accessKey !== this.keys.accessKey) return 'InvalidAccessKeyId';
    if (region !== this.region) return 'AuthorizationHeaderMalformed';
    const given = names.split(';').filter((name) => name !== 'host');
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: Object.fromEntries(given.map((name) => [name, String(headers[name])])),
      accessKeyId: this.keys.accessKey,
      secretAccessKey: this.keys.secretKey,
      service: 's3',
      region: this.region,
      datetime: String(headers['x-amz-date']),
    }).sign();
    if (signed.headers.get('authorization') !== authorization) return 'SignatureDoesNotMatch';
    return headers['x-amz-content-sha256'] === digestOf(body) ? null : 'XAmzContentSHA256Mismatch';
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter')];
    const after = query.get('continuation-token') ?? '';
    const names = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => grouped(key, prefix, delimiter));
    const left = [...new Set(names)].toSorted().filter((name) => name > after);
    const page = left.slice(0, PAGE_KEYS);
    const entries = page.map((name) => {
      const bytes = this.objects.get(name)?.bytes.length;
      if (bytes === undefined) return `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
      return `<Contents><Key>${name}</Key><Size>${bytes}</Size></Contents>`;
    });
    const next = left.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const text = `<ListBucketResult><Prefix>${prefix}</Prefix>${entries.join('')}${next}</ListBucketResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  }
}

function grouped(key: string, prefix: string, delimiter: string | null): string {
  const at = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1 ? key : key.slice(0, at + 1);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function refuse(response: ServerResponse, code: string): void {
  const status = code.startsWith('NoSuch') ? 404 : code.startsWith('Auth') || code.startsWith('X') ? 400 : 403;
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
