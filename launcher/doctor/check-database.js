// Doctor: does the database answer, or, while nothing runs, is its cluster whole?

import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { run } from '../process/run.js';
import { findPostgres } from '../postgres/binaries.js';
import { clusterAddress } from '../postgres/cluster.js';
import { postgresCommand } from '../postgres/command.js';
import { checkExternalDatabase, describeDatabase } from '../postgres/database.js';
import { makeRunFolder } from '../data/run-folder.js';
import { failure, ok } from './finding.js';

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<import('./finding.js').Finding[]>}
 */
export async function checkDatabase(patient) {
  const { options, isRunning, root } = patient;
  try {
    if (options.databaseUrl !== null) {
      return [await answering(await checkExternalDatabase(options.databaseUrl, new AbortController().signal))];
    }
    const cluster = path.join(options.data, 'postgres');
    if (!fs.existsSync(cluster)) return [ok('database', 'The first start makes the database.')];
    const programs = findPostgres(root);
    return [isRunning ? await answering(addressOf(programs, options.data)) : await atRest(programs, cluster)];
  } catch (error) {
    const advice = error instanceof LaunchError ? (error.hint ?? '') : 'Read logs/postgres.log in the data folder.';
    return [failure('database', capital(error instanceof Error ? error.message : String(error)), advice)];
  }
}

/**
 * @param {import('../postgres/binaries.js').PostgresPrograms} programs
 * @param {string} data
 */
function addressOf(programs, data) {
  return clusterAddress({ programs, runFolder: makeRunFolder(data) }).url;
}

/** @param {string} url */
async function answering(url) {
  const { version, bytes } = await describeDatabase(url);
  return ok('database', `PostgreSQL ${version} answers; the database takes ${Math.round(bytes / 1e6)} MB.`);
}

/**
 * PostgreSQL reads its control file, with the checksum, to print a setting that it computes from it.
 * @param {import('../postgres/binaries.js').PostgresPrograms} programs
 * @param {string} cluster
 */
async function atRest(programs, cluster) {
  const broken = 'Restore the last backup: npm run restore -- --help. Keep this folder until that is done.';
  const missing = ['PG_VERSION', 'base', 'pg_wal'].find((name) => !fs.existsSync(path.join(cluster, name)));
  if (missing !== undefined) return failure('database', `The database is broken: ${missing} is missing.`, broken);
  const { command, args, ...place } = postgresCommand(programs, 'postgres', ['-D', cluster, '-C', 'data_checksums']);
  const { code, stderr } = await run(command, args, { ...place, cwd: '/' });
  if (code === 0) return ok('database', 'The database is at rest and its control file is whole.');
  const reason =
    stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^.*FATAL: +/, '') ?? '';
  return failure('database', `The database is broken: ${reason || `PostgreSQL ended with code ${code}`}.`, broken);
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
