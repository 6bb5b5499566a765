// What other topics need to know of CDN live.
import type { Database } from '../../database/connection.ts';
import { hasProvider } from '../../database/media/cdn.queries.ts';
import type { StoredStream } from '../../database/schema/schema.ts';

/** RTMP carries no MJPEG. */
export async function supportsCdn(database: Database, streams: readonly StoredStream[]): Promise<boolean> {
  return streams.some(({ codec }) => codec === 'h264' || codec === 'h265') && (await hasProvider(database));
}
