// The server's log: JSON lines on stderr, since stdout belongs to the ready line; secrets never enter it.
import { destination, type Logger, pino } from 'pino';

const SECRET_FIELDS = ['password', 'token', 'accessToken', 'secret', 'ticket', 'authorization'];

export function openLog(level: string): Logger {
  const redact = { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' };
  return pino({ name: 'server', level, redact, base: { process: 'server' } }, destination({ dest: 2, sync: true }));
}
