// Handlers of sites: list, and for the operator register, rename and delete.
import type { Site, SiteCode } from '@vedette/contract/calls/site.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { LOCAL_SITE, SITE_CODE_LIMITS, SITES_MAX } from '@vedette/contract/remote-site.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  allSites,
  deleteSite,
  findSite,
  insertSite,
  renameSite,
  type SiteWithTotal,
  storeSiteCode,
} from '../../database/device/site.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { PublicOrigin } from '../../http/public-origin.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newReadable } from '@vedette/foundation/random/secrets.ts';
import { codeHashOf } from '../../site-link/remote-site-authenticator.ts';
import type { RemoteSites } from '../../site-link/remote-sites.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { authorityFingerprint, outerUrls } from '../system/host.facts.ts';
import { mayUseSite } from './site.facts.ts';

export interface SiteDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly remoteSites: RemoteSites;
  readonly dataFolder: string;
  readonly publicPort: number;
  readonly version: string;
}

type SitePath = 'site/list' | 'site/add' | 'site/code' | 'site/rename' | 'site/delete';

const SERIAL_LENGTH = 12;
const CODE_LENGTH = 25;
const CODE_GROUP = /.{5}(?=.)/g;
const LOOPBACK_HOST = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/;

export function siteHandlers(deps: SiteDeps): Handlers<SitePath> {
  const { database, remoteSites } = deps;
  return {
    'site/list': async ({ input: _none, principal }) => {
      const rows = (await allSites(database)).filter((row) => mayUseSite(principal, row));
      return { total: rows.length, siteList: rows.map((row) => toSite(deps, row, principal)) };
    },
    'site/add': async ({ input, principal, origin, now, audit }) => {
      if ((await allSites(database)).length >= SITES_MAX) throw new CallError('quotaExceeded');
      const siteId = newId();
      audit.object = `siteId=${siteId}`;
      await insertSite(database, {
        siteId,
        ownerId: principal.userId,
        siteName: input.siteName,
        serial: newReadable(SERIAL_LENGTH),
        createdAt: now,
      });
      return await newCode(deps, siteId, { principal, origin, now });
    },
    'site/code': async ({ input, principal, origin, now, audit }) => {
      audit.object = `siteId=${input.siteId}`;
      await remoteSite(database, input.siteId);
      return await newCode(deps, input.siteId, { principal, origin, now });
    },
    'site/rename': async ({ input, principal, audit }) => {
      audit.object = `siteId=${input.siteId}`;
      await renameSite(database, input.siteId, input.siteName);
      return { site: toSite(deps, await anySite(database, input.siteId), principal) };
    },
    'site/delete': async ({ input, audit }) => {
      audit.object = `siteId=${input.siteId}`;
      await remoteSite(database, input.siteId);
      if (!(await deleteSite(database, input.siteId))) throw new CallError('alreadyExists');
      remoteSites.forget(input.siteId);
      return {};
    },
  };
}

async function anySite(database: Database, siteId: string): Promise<SiteWithTotal> {
  const site = await findSite(database, siteId);
  if (site === undefined) throw new CallError('notFound');
  return site;
}

/** The site beside the server has no code and cannot be forgotten. */
async function remoteSite(database: Database, siteId: string): Promise<SiteWithTotal> {
  if (siteId === LOCAL_SITE) throw new CallError('notFound');
  return await anySite(database, siteId);
}

async function newCode(
  deps: SiteDeps,
  siteId: string,
  { principal, origin, now }: { principal: Principal; origin: PublicOrigin; now: number },
): Promise<SiteCode> {
  const { database, dataFolder } = deps;
  const code = newReadable(CODE_LENGTH);
  await storeSiteCode(database, siteId, { hash: codeHashOf(code), until: now + SITE_CODE_LIMITS.validMs });
  const row = await remoteSite(database, siteId);
  const registrationCode = code.replaceAll(CODE_GROUP, '$&-');
  const authority = await authorityFingerprint(dataFolder);
  const options = [
    `--server ${serverUrl(deps, origin)}`,
    `--serial ${row.serial ?? ''}`,
    `--code ${registrationCode}`,
    ...(authority === '' ? [] : [`--authority ${authority}`]),
  ];
  return {
    site: toSite(deps, row, principal),
    registrationCode,
    authority,
    command: `npm run site -- ${options.join(' ')}`,
  };
}

/** As the operator reached us, but never by a name that means another machine at the far end. */
function serverUrl({ publicPort }: SiteDeps, origin: PublicOrigin): string {
  const outer = LOOPBACK_HOST.test(origin.host) ? outerUrls(publicPort)[0] : undefined;
  return outer ?? `https://${origin.host}`;
}

function toSite({ site: sites, version }: SiteDeps, row: SiteWithTotal, { userType }: Principal): Site {
  const isLocal = row.site_id === LOCAL_SITE;
  const isOnline = sites.at(row.site_id).isOnline();
  const isWaiting = !isLocal && row.credential_hash === null;
  return {
    siteId: row.site_id,
    siteName: row.site_name,
    isLocal,
    status: isOnline ? 'online' : isWaiting ? 'waiting' : 'offline',
    ...(userType === USER_TYPE.super ? operatorFacts(row, isLocal ? version : row.product_version) : hiddenFacts),
  };
}

type OperatorFacts = Pick<Site, 'cameraTotal' | 'serial' | 'version' | 'address' | 'lastSeen' | 'codeUntil'>;

function operatorFacts(row: SiteWithTotal, version: string): OperatorFacts {
  const isCodeOpen = row.code_hash !== null && row.code_tries < SITE_CODE_LIMITS.tries;
  return {
    cameraTotal: row.camera_total,
    serial: row.serial ?? '',
    version,
    address: row.public_address,
    lastSeen: row.last_seen,
    codeUntil: isCodeOpen ? row.code_until : null,
  };
}

const hiddenFacts: OperatorFacts = {
  cameraTotal: 0,
  serial: '',
  version: '',
  address: '',
  lastSeen: null,
  codeUntil: null,
};
