// Talk sessions of this site: authorised by ticket, opened where the device has a back channel, with errors of the contract.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import { rtspDial } from '@vedette/drivers/kit/outbound/rtsp-dial.ts';
import { rtspFault } from '@vedette/drivers/rtsp/rtsp-fault.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import {
  askBackChannel,
  type BackChannelOptions,
  NoBackChannel,
  openBackChannel,
} from '@vedette/media/talk/back-channel.ts';
import type { TalkLock } from '@vedette/media/talk/talk-lock.ts';
import { type AuthoriseTalk, TalkRefusal } from '@vedette/media/talk/talk-grant.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { randomHex } from '@vedette/foundation/random/random-numbers.ts';
import { quotaHolderOf } from '../tickets/quota-holder.ts';
import { TicketEnded, type TicketRegistry } from '../tickets/ticket-registry.ts';

export interface TalkSessionsOptions {
  readonly fleet: Fleet;
  readonly tickets: TicketRegistry;
  readonly driverContexts: DriverContexts;
  readonly clock: Clock;
  readonly talkLock: TalkLock;
}

const ASK_MS = 6000;

export class TalkSessions {
  readonly #options: TalkSessionsOptions;

  constructor(options: TalkSessionsOptions) {
    this.#options = options;
  }

  readonly authorise: AuthoriseTalk = (ticket) => {
    const opened = this.#options.tickets.open(ticket, ['talk'], { alone: true });
    if ('code' in opened) return { allowed: false, code: opened.code };
    const { grant, ended } = opened;
    const { deviceSerial, channelNo, userId, userName = '', pageOrigin } = grant;
    return {
      allowed: true,
      deviceSerial,
      userId,
      userName,
      holder: quotaHolderOf(grant),
      ...(pageOrigin && { pageOrigin }),
      open: async (onEnded, signal) => {
        try {
          const target = await this.#target(deviceSerial, channelNo, signal);
          return await openBackChannel(target, (error) => onEnded(refusalOf(error)));
        } catch (error) {
          throw refusalOf(error);
        }
      },
      ended,
      endCode: () => (ended.reason instanceof TicketEnded ? ended.reason.code : ERROR_CODES.permissionDenied),
      onEnded: opened.hold(),
    };
  };

  /** Answers the server's `talk` call. */
  readonly ask = async ({ deviceSerial, channelNo, userId }: SiteCalls['talk']['input']) => {
    const other = this.#options.talkLock.holderOtherThan(deviceSerial, userId);
    if (other) throw new CallRefusal(ERROR_CODES.talkBusy, { userName: other.userName });
    const signal = AbortSignal.timeout(ASK_MS);
    try {
      return { codec: await askBackChannel(await this.#target(deviceSerial, channelNo, signal)) };
    } catch (error) {
      throw faultOf(error);
    }
  };

  async #target(deviceSerial: string, channelNo: number, signal: AbortSignal): Promise<BackChannelOptions> {
    const { fleet, driverContexts, clock } = this.#options;
    const device = fleet.device(deviceSerial);
    if (!device) throw new DeviceFault('unknown-channel', 'the device is not assigned here');
    const channel = await device.supervisor.driver.channel(channelNo, signal);
    if (!channel.talk) throw new DeviceFault('not-supported', 'the device has no loudspeaker');
    const { url, credentials } = await channel.talk(signal);
    const context = driverContexts.context(device.assignment.isOperatorAddress, signal, device.supervisor.trust);
    return { url, credentials, dial: rtspDial(context), clock, clientNonce: () => randomHex(8), signal };
  }
}

function refusalOf(error: unknown): TalkRefusal {
  const fault = faultOf(error);
  if (!(fault instanceof DeviceFault)) throw fault;
  const { code, data } = deviceError(fault);
  return new TalkRefusal(code, data.reason ?? null);
}

function faultOf(error: unknown): unknown {
  if (error instanceof NoBackChannel) return new DeviceFault('not-supported', error.message, { cause: error });
  return rtspFault(error);
}
