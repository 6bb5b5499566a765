// Versions of the native clients: what managers keep, and what clients ask for and download.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { clientVersionIds } from '../database/client-version.queries.ts';
import { clientVersionHandlers } from '../features/client-version/client-version.handlers.ts';
import { packageDownload } from '../features/client-version/package-download.ts';
import { PackageFiles } from '../features/client-version/package-files.ts';
import { PublisherKeys } from '../features/client-version/publisher-keys.ts';
import { packageUpload } from '../features/client-version/package-upload.ts';
import type { Core } from './core.ts';

export async function clientVersionModule(core: Core) {
  const { database, dataFolder } = core;
  const packages = new PackageFiles(join(dataFolder, 'client-versions'));
  await packages.clear(await clientVersionIds(database));
  const publishers = new PublisherKeys(join(dataFolder, 'keys', 'publishers'));
  const routes = [
    packageUpload({ ...core, packages, publishers }),
    packageDownload({ database, packages, publishers }),
  ];
  return {
    calls: clientVersionHandlers({ database, packages, publishers }),
    registerRoutes: (app: FastifyInstance) => routes.forEach((register) => register(app)),
  };
}
