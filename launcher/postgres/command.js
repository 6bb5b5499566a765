// Command line and environment of one program of the embedded PostgreSQL.

import path from 'node:path';

/**
 * @param {import('./binaries.js').PostgresPrograms} programs
 * @param {string} program
 * @param {string[]} args
 */
export function postgresCommand(programs, program, args) {
  const [command = '', ...rest] = [...programs.prefix, path.join(programs.folder, 'bin', program), ...args];
  const owner = programs.owner === null ? {} : { uid: programs.owner, gid: programs.owner };
  return { command, args: rest, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }, ...owner };
}
