// Which pages may frame the console for an app.
import { findApp } from '../../database/app/app.queries.ts';
import type { Database } from '../../database/connection.ts';

/** None for an app that is unknown or disabled. */
export async function embedOriginsOf(database: Database, appId: string): Promise<readonly string[]> {
  const app = await findApp(database, appId);
  return app?.is_enabled && app.owner_enabled ? app.embed_origins : [];
}
