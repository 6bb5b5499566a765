// Answers of Dahua's CGI: lines of `key=value`, bounded; and the other way, a query that sets some of them.
import { DeviceFault } from '../../kit/device-fault.ts';

const MOST_LINES = 20_000;
const MOST_QUERY = 1500;

export function readKeyValues(body: Buffer): ReadonlyMap<string, string> {
  const lines = body.toString('utf8').split(/\r?\n/u);
  if (lines.length > MOST_LINES) throw new DeviceFault('device', 'too many lines', { fault: 'answer too large' });
  const pairs = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf('=');
    // Some answer with the prefix and some without it.
    return at < 1
      ? []
      : [
          [
            line
              .slice(0, at)
              .trim()
              .replace(/^table\./u, ''),
            line.slice(at + 1).trim(),
          ],
        ];
  });
  return new Map(pairs);
}

/** As many queries as their length needs. */
export function setQueries(values: Readonly<Record<string, string>>): string[] {
  const parts = Object.entries(values).map(([key, value]) => `${encodeKey(key)}=${encodeURIComponent(value)}`);
  const queries: string[] = [];
  for (const part of parts) {
    const last = queries.at(-1);
    if (last !== undefined && last.length + part.length < MOST_QUERY) queries[queries.length - 1] = `${last}&${part}`;
    else queries.push(part);
  }
  return queries.map((query) => `/cgi-bin/configManager.cgi?action=setConfig&${query}`);
}

/** Brackets stay as they are: devices compare the text. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%5B', '[').replaceAll('%5D', ']');
}
