// What other features may ask about sites: where an account may add devices.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findSite } from '../../database/device/site.queries.ts';

type Account = Pick<Principal, 'userId' | 'userType' | 'ownerId'>;

/** The site beside the server is everybody's; another belongs to who set it up, the operators, and who works for them. */
export function mayUseSite(account: Account, site: { site_id: string; owner_id: string | null }): boolean {
  if (site.site_id === LOCAL_SITE || account.userType === USER_TYPE.super) return true;
  return site.owner_id !== null && (site.owner_id === account.ownerId || site.owner_id === account.userId);
}

/** Throws 1007 for a site that is missing or somebody else's. */
export async function usableSite(database: Database, account: Account, siteId: string): Promise<string> {
  if (siteId === LOCAL_SITE) return LOCAL_SITE;
  const site = await findSite(database, siteId);
  if (site === undefined || !mayUseSite(account, site)) throw new CallError('notFound');
  return siteId;
}
