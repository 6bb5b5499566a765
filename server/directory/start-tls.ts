// StartTLS of LDAP (RFC 4511, section 4.14) on a connection of our own, so that nothing said before TLS is left for what reads behind it.
import type { Socket } from 'node:net';
import { DirectoryError } from './directory-fault.ts';

/** An extended request with message id 1 that names 1.3.6.1.4.1.1466.20037, in BER. */
const OID = Buffer.from('1.3.6.1.4.1.1466.20037');
const REQUEST = Buffer.concat([
  Buffer.of(0x30, OID.length + 7, 0x02, 0x01, 0x01, 0x77, OID.length + 2, 0x80, OID.length),
  OID,
]);
/** What an answer needs at most: a result code, a name and a few words. */
const ANSWER_BYTES = 4096;
const SEQUENCE = 0x30;
const EXTENDED_RESPONSE = 0x78;
const ENUMERATED = 0x0a;

/** The socket speaks TLS next. Rejects with a DirectoryError, or with what ended the socket. */
export async function askForTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(REQUEST);
  const answer = await firstMessage(socket, signal);
  const code = resultCode(answer);
  if (code !== 0) throw new DirectoryError('identityNoTls', `code ${code}`);
}

/** Exactly one message: whoever sends more before TLS wants it to be read behind it. */
function firstMessage(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const leave = (): void => {
      socket.off('data', take).off('error', fail).off('close', ended);
      signal.removeEventListener('abort', abort);
      socket.pause();
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    const ended = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const abort = (): void => fail(signal.reason as Error);
    const take = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      const length = messageLength(held);
      if (length === null || held.length > ANSWER_BYTES || (length > 0 && held.length > length)) {
        return fail(new DirectoryError('identityNoDirectory'));
      }
      if (length === 0 || held.length < length) return;
      leave();
      resolve(held);
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    socket.on('data', take).on('error', fail).on('close', ended);
  });
}

/** Of the message that begins there, with its header; 0: more is needed; null: it is none. */
export function messageLength(held: Buffer): number | null {
  const element = elementAt(held, 0);
  if (held.length > 0 && held[0] !== SEQUENCE) return null;
  return element === null ? 0 : element.end;
}

function resultCode(message: Buffer): number {
  const whole = elementAt(message, 0);
  const id = whole === null ? null : elementAt(message, whole.start);
  const answer = id === null ? null : elementAt(message, id.end);
  const code = answer === null ? null : elementAt(message, answer.start);
  const isAnswer = answer?.tag === EXTENDED_RESPONSE && code?.tag === ENUMERATED && code.end <= message.length;
  if (!isAnswer || code.end - code.start !== 1) throw new DirectoryError('identityNoDirectory');
  return message[code.start] ?? 0;
}

/** A definite length of at most four bytes, as LDAP has them (RFC 4511, section 5.1). */
function elementAt(
  bytes: Buffer,
  at: number,
): { readonly tag: number; readonly start: number; readonly end: number } | null {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return null;
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) return { tag, start: at + 2, end: Number.MAX_SAFE_INTEGER };
  if (bytes.length < at + 2 + count) return null;
  const start = at + 2 + count;
  return { tag, start, end: start + bytes.readUIntBE(at + 2, count) };
}
