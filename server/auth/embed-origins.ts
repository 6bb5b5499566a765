// Which pages of other origins work with an app: they may frame the console for it, and call with its token.
import { appsWithOwner, findApp } from '../database/app/app.queries.ts';
import type { Database } from '../database/connection.ts';

/** None for an app that is unknown or disabled. */
export async function embedOriginsOf(database: Database, appId: string): Promise<readonly string[]> {
  const app = await findApp(database, appId);
  return app?.is_enabled && app.owner_enabled ? app.embed_origins : [];
}

/** Whether any app that is enabled lists it: asked before the app is known. */
export async function isListedOrigin(database: Database, origin: string): Promise<boolean> {
  const app = await appsWithOwner(database)
    .where('app.is_enabled', '=', true)
    .where('account.is_enabled', '=', true)
    .where((expression) => expression(expression.val(origin), '=', expression.fn.any('app.embed_origins')))
    .executeTakeFirst();
  return app !== undefined;
}
