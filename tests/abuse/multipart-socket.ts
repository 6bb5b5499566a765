// Sends one upload over a bare socket, so that what its head says and what follows may differ in any way.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawUpload {
  readonly token: string;
  /** Null: the body comes in chunks, and says nothing of its length. */
  readonly declared: number | null;
  /** Written one after another until the other side has had enough. */
  readonly body: Iterable<Buffer>;
  /** Hangs up when all is written, in place of waiting for an answer. */
  readonly leaves?: boolean;
  /** Hangs up then. */
  readonly until?: Promise<void>;
}

export interface RawUploadAnswer {
  /** 0 where none came. */
  readonly status: number;
  readonly code: number;
  readonly sent: number;
}

export const BOUNDARY = 'vedette-upload-boundary';
const ANSWER_MS = 90_000;

/** Fields, and the head of the file that follows. */
export function formHead(fileName = 'fw.bin', version = '9.9'): Buffer {
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n`;
  const fields = field('deviceModel', 'No such model') + field('version', version);
  return Buffer.from(`${fields}${file}Content-Type: application/octet-stream\r\n\r\n`);
}

export const FORM_END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

export async function rawUpload(url: string, upload: RawUpload): Promise<RawUploadAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answer: Buffer[] = [];
  socket.on('data', (part: Buffer) => answer.push(part));
  // Being cut off is an answer too.
  socket.on('error', () => undefined);
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  await Promise.race([once(socket, 'connect'), closed]);
  socket.write(headOf(url, upload));
  const sent = await sendBody(socket, upload, () => answer.length > 0);
  await upload.until;
  if (upload.leaves || upload.until) socket.destroy();
  await closed;
  const text = Buffer.concat(answer).toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, code: Number(/"code":(\d+)/.exec(text)?.[1] ?? 0), sent };
}

function headOf(url: string, { token, declared }: RawUpload): string {
  const lines = [
    'POST /upload/firmware HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    declared === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${declared}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function sendBody(socket: Socket, { body, declared }: RawUpload, isAnswered: () => boolean): Promise<number> {
  let sent = 0;
  for (const part of body) {
    if (socket.destroyed || isAnswered()) return sent;
    if (declared === null) socket.write(`${part.length.toString(16)}\r\n`);
    const isTaken = socket.write(part);
    if (declared === null) socket.write('\r\n');
    sent += part.length;
    if (!isTaken) await drained(socket);
  }
  if (declared === null && !socket.destroyed) socket.write('0\r\n\r\n');
  return sent;
}

async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
    if (socket.destroyed) done();
  });
}
