// Log of the launcher: messages for people and the children's lines, on stderr and in rotating files.

import fs from 'node:fs';
import path from 'node:path';

const largestFile = 5 * 1024 * 1024;
const keptFiles = 3;

/**
 * @param {{ folder: string, stream: NodeJS.WritableStream, everyLine: boolean }} options everyLine: children's lines of every level go to the stream too
 */
export function openLog({ folder, stream, everyLine }) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** @type {Map<string, (line: string) => void>} */
  const files = new Map();
  const fileFor = (/** @type {string} */ name) => {
    const open = files.get(name) ?? rotatingFile(path.join(folder, `${name}.log`));
    files.set(name, open);
    return open;
  };
  /** @param {string} text */
  const say = (text) => {
    stream.write(`vedette: ${text}\n`);
    fileFor('launcher')(`${new Date().toISOString()} ${text}`);
  };
  return {
    say,
    /**
     * For people only: the set-up link is a secret and reaches no file.
     * @param {string} text
     */
    tell: (text) => stream.write(`vedette: ${text}\n`),
    /** @param {string} name */
    child: (name) => (/** @type {string} */ line) => {
      fileFor(name)(stamped(line));
      if (everyLine) stream.write(`${line}\n`);
      else if (isWarning(line)) stream.write(`${name}: ${forPeople(line)}\n`);
    },
  };
}

/**
 * Who reads the log orders its lines by time: those that name none get that of their writing.
 * @param {string} line
 */
function stamped(line) {
  return /^(?:\{.*"time":\d|\d{4}-\d\d-\d\d[T ]\d\d:)/.test(line) ? line : `${new Date().toISOString()} ${line}`;
}

/** @param {string} line pino writes its level as a number: 40 is a warning */
function isWarning(line) {
  const level = /"level":(\d+)/.exec(line);
  return level ? Number(level[1]) >= 40 : /\b(?:error|fatal|panic)\b/i.test(line);
}

/**
 * @param {string} line
 * @returns {string} of a line of JSON only what somebody at a terminal can use
 */
function forPeople(line) {
  try {
    const { msg, err } = JSON.parse(line);
    return err?.message ? `${msg} (${err.message})` : String(msg);
  } catch {
    return line; // not JSON: PostgreSQL's words, or a stack trace
  }
}

/**
 * A disk that is full must not end the launcher: the line is lost, and counted in the next one that can be written.
 * @param {string} file
 * @returns {(line: string) => void}
 */
function rotatingFile(file) {
  let size = fs.existsSync(file) ? fs.statSync(file).size : 0;
  let lost = 0;
  return (line) => {
    try {
      if (size > largestFile) {
        rotate(file);
        size = 0;
      }
      const text = lost > 0 ? `(${lost} lines could not be written)\n${line}\n` : `${line}\n`;
      fs.appendFileSync(file, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
      lost = 0;
    } catch {
      lost += 1; // named in the next line
    }
  };
}

/** @param {string} file */
function rotate(file) {
  for (let index = keptFiles - 1; index >= 1; index -= 1) {
    const from = index === 1 ? file : `${file}.${index - 1}`;
    if (fs.existsSync(from)) fs.renameSync(from, `${file}.${index}`);
  }
}
