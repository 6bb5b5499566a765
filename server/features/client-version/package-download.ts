// GET /download/version/<id>/<name>: the package of a published version, whole or in ranges (RFC 9110, section 14), for anybody.
import { VERSION_DOWNLOAD_PATH } from '@vedette/contract/calls/client-version.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { findClientVersion } from '../../database/client-version.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { PackageFiles } from './package-files.ts';
import type { PublisherKeys } from './publisher-keys.ts';

export interface PackageDownloadDeps {
  readonly database: Database;
  readonly packages: PackageFiles;
  readonly publishers: PublisherKeys;
}

export function packageDownload({
  database,
  packages,
  publishers,
}: PackageDownloadDeps): (app: FastifyInstance) => void {
  return (app) =>
    void app.register(async (scope) => {
      await scope.register(fastifyStatic, {
        root: packages.folder,
        serve: false,
        contentType: false,
        cacheControl: false,
      });
      scope.route<{ Params: { versionId: string } }>({
        method: ['GET', 'HEAD'],
        url: `${VERSION_DOWNLOAD_PATH}:versionId/:fileName`,
        handler: async (request, reply) => {
          const row = await findClientVersion(database, request.params.versionId);
          if (row === undefined || !row.is_published || row.sha256 === '') return reply.callNotFound();
          if (!(await publishers.isTrusted(row.public_key))) return reply.callNotFound();
          void reply
            .type('application/octet-stream')
            .header('cache-control', 'no-cache')
            .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(row.file_name)}`);
          return await reply.sendFile(row.version_id);
        },
      });
    });
}
