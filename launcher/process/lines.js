// Splits a byte stream into lines of bounded length.

import { StringDecoder } from 'node:string_decoder';

const longestLine = 64 * 1024;

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 */
export function readLines(stream, onLine) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) {
      lines.push(rest);
      rest = '';
    }
    for (const line of lines) if (line !== '') onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
  stream.on('error', (error) => onLine(`reading failed: ${error.message}`));
}
