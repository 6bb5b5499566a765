// Uploads firmware like the console's widget: one multipart form over the server's socket.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { FirmwarePackage } from '@vedette/contract/calls/firmware.ts';
import type { ServerUnderTest } from './server-under-test.ts';

export interface UploadOptions {
  readonly token: string | null;
  readonly file?: Buffer | undefined;
  readonly fileName?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Sends so many bytes and hangs up. */
  readonly leavesAfter?: number;
}

export interface UploadAnswer {
  readonly status: number;
  readonly body: { readonly code: number; readonly data: unknown; readonly error?: string };
}

const usualFields = { deviceModel: 'Model', version: '2.0.0' };

/** Null for one that was hung up on. */
export function upload(server: ServerUnderTest, wish: UploadOptions): Promise<UploadAnswer | null> {
  const boundary = randomUUID();
  const body = formBody(boundary, wish);
  const headers = {
    host: 'localhost:8443',
    'x-forwarded-for': '192.0.2.7',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
    ...(wish.token === null ? {} : { authorization: `Bearer ${wish.token}` }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath: server.socketPath, method: 'POST', path: '/upload/firmware', headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) }),
        );
      },
    );
    sent.on('error', (error) => (wish.leavesAfter === undefined ? reject(error) : resolve(null)));
    if (wish.leavesAfter === undefined) sent.end(body);
    else sent.write(body.subarray(0, wish.leavesAfter), () => sent.destroy(new Error('left')));
  });
}

export async function uploadPackage(server: ServerUnderTest, wish: UploadOptions): Promise<FirmwarePackage> {
  const answer = await upload(server, wish);
  if (answer?.status !== 200) throw new Error(`upload answered ${JSON.stringify(answer)}`);
  return answer.body.data as FirmwarePackage;
}

function formBody(
  boundary: string,
  { file = Buffer.from('firmware'), fileName = 'fw.bin', fields }: UploadOptions,
): Buffer {
  const texts = Object.entries(fields ?? usualFields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
