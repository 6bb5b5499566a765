// Handler of talk/url: checks that the device accepts talk, and issues the ticket.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { talkUrl } from '../../ticket/media-urls.ts';
import type { TicketIssuer } from '../../ticket/ticket-issuer.ts';

export interface TalkDeps {
  readonly site: SitePort;
  readonly tickets: TicketIssuer;
}

export function talkHandlers({ site, tickets }: TalkDeps): Handlers<'talk/url'> {
  return {
    'talk/url': async ({ input, device, principal, origin }) => {
      const { deviceSerial, channelNo } = input;
      if (device.status === DEVICE_STATUS.offline) {
        throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
      }
      const { codec } = await site.call('talk', { deviceSerial, channelNo, userId: principal.userId });
      const { ticket, firstUseBefore } = await tickets.issue({
        kind: 'talk',
        action: 'Talk',
        principal,
        device,
        channelNo,
        quality: 0,
        range: null,
        probeId: null,
      });
      return { url: talkUrl(origin, ticket), codec, expireTime: firstUseBefore };
    },
  };
}
