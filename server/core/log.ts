// Log of the server: JSON lines on stderr, without secrets; stdout belongs to the ready line.
import { destination, type Logger, pino } from 'pino';

const SECRET_FIELDS = ['password', 'token', 'accessToken', 'secret', 'ticket', 'authorization'];

export function openLog(level: string): Logger {
  const redact = { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' };
  const serializers = { err: loggedError };
  const base = { process: 'server' };
  return pino({ name: 'server', level, redact, serializers, base }, destination({ dest: 2, sync: true }));
}

/**
 * Logged fields of an error. Others are omitted: database errors contain row values (`detail`) and whole connections.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: name,
    message,
    stack,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    // A dial over several addresses reports each result only here.
    ...(error instanceof AggregateError && { errors: error.errors.map(loggedError) }),
    ...(cause !== undefined && { cause: loggedError(cause) }),
  };
}
