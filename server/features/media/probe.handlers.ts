// Handler of device/probe: the candidate at an address, with a first image before it is saved.
import type { Candidate } from '@vedette/contract/calls/device.ts';
import type { SiteCandidate } from '@vedette/contract/site/site.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { cleanName, cleanText, hostOf, serialOf, splitTarget } from '../device/device-candidate.facts.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { usableSite } from '../site/site.facts.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { snapshotUrl } from '../../ticket/media-urls.ts';
import type { TicketIssuer } from '../../ticket/ticket-issuer.ts';

export interface ProbeDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
}

export function probeHandlers(deps: ProbeDeps): Handlers<'device/probe'> {
  return {
    'device/probe': async ({ input, principal, origin }) => {
      const from = splitTarget(input.target, input.user, input.password);
      const isOperator = principal.userType === USER_TYPE.super;
      const siteId = await usableSite(deps.database, principal, input.siteId);
      const found = await deps.site.at(siteId).call('probe', { ...from, isOperator });
      const first = found.channels[0];
      const candidate = toCandidate(found);
      if (first === undefined || first.streams.length === 0) return { candidate };
      const order = {
        kind: 'probe',
        action: 'DeviceManage',
        principal,
        device: null,
        channelNo: first.channelNo,
        quality: 0,
        range: null,
        probeId: found.probeId,
        siteId,
      } as const;
      const picture = await deps.tickets.issue(order);
      const live = await deps.tickets.issue({ ...order, isStream: true });
      return {
        candidate: { ...candidate, snapshotUrl: snapshotUrl(origin, picture.ticket), liveTicket: live.ticket },
      };
    },
  };
}

/** `native` and `probeId` stay between server and site. */
function toCandidate(found: SiteCandidate): Candidate {
  return {
    driver: found.driver,
    deviceSerial: serialOf(found),
    deviceName: cleanName(found.deviceName, cleanName(found.deviceModel, serialOf(found))),
    deviceType: found.deviceType,
    deviceModel: cleanText(found.deviceModel),
    deviceVersion: cleanText(found.deviceVersion),
    manufacturer: cleanText(found.manufacturer),
    address: hostOf(found.address),
    channelList: found.channels.map((channel) => ({
      channelNo: channel.channelNo,
      channelName: cleanName(channel.channelName, String(channel.channelNo)),
      streamList: channel.streams.map(({ quality, codec, width, height, fps, audio }) => ({
        quality,
        codec,
        width,
        height,
        fps,
        audio,
      })),
    })),
    warnings: found.warnings.map(cleanText),
    snapshotUrl: null,
    liveTicket: null,
  };
}
