// The role of this site: the local site beside the server, or a remote site that dials out to it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site.ts';
import { MEDIA_TUNNEL_PATH } from '@vedette/contract/site-far.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Logger } from 'pino';
import { CallRefusal } from './call-refusal.ts';
import type { Candidates } from './candidates.ts';
import { FarStreams } from './centre/far-streams.ts';
import { Uplinks } from './centre/uplinks.ts';
import type { Environment } from './environment.ts';
import { Enrolment } from './far/enrolment.ts';
import { RelayDoor } from './far/relay-door.ts';
import { fetchAuthority, openServerSocket } from './far/server-place.ts';
import { Uplink } from './far/uplink.ts';
import type { Fleet } from './fleet.ts';
import type { HttpFrontOptions } from './http-front.ts';
import { LineWatch } from './line-watch.ts';
import type { MediaAuthorityOptions } from './media-authority.ts';
import { SealedFile } from './sealed-file.ts';
import type { ServerWay } from './server-link.ts';
import { farWay, localWay } from './ways-to-server.ts';

export interface SiteSide {
  readonly way: ServerWay;
  readonly farUpstream: MediaAuthorityOptions['farUpstream'];
  /** True: it was about another site. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly passUpgrade: NonNullable<HttpFrontOptions['passUpgrade']>;
  readonly onUpgrade: HttpFrontOptions['onUpgrade'];
  readonly calls: {
    readonly [N in 'uplink' | 'uplinks']: (input: SiteCalls[N]['input']) => Promise<Record<string, never>>;
  };
  readonly deviceGone: (deviceSerial: string) => void;
  readonly lost: () => void;
  readonly close: () => Promise<void>;
}

export interface SiteSideOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly hub: StreamHub;
  readonly fleet: Fleet;
  readonly candidates: Candidates;
  readonly log: Logger;
  /** A viewer came over the media line. */
  readonly onViewer: (stream: Duplex) => void;
  /** The server has not been heard for so long that rights may be gone. */
  readonly onCutOff: () => void;
  /** The server has let us in: it may have forgotten what it knew of our devices. */
  readonly onAccepted: () => void;
}

export async function openSide(options: SiteSideOptions): Promise<SiteSide> {
  const { serverSocketPath, masterKey } = options.environment;
  return serverSocketPath === null
    ? await openFarSide(options)
    : openCentre(options, localWay({ serverSocketPath, masterKey }));
}

function openCentre({ clock, log }: SiteSideOptions, way: ServerWay): SiteSide {
  const uplinks = new Uplinks({ clock, log });
  const streams = new FarStreams({ clock, uplinks });
  return {
    way,
    farUpstream: (grant) => streams.upstream(grant),
    pass: uplinks.pass,
    passUpgrade: uplinks.passUpgrade,
    onUpgrade: { [MEDIA_TUNNEL_PATH]: uplinks.handleUpgrade },
    calls: {
      uplinks: async (input) => {
        uplinks.expect(input);
        return {};
      },
      uplink: () => Promise.reject(new CallRefusal(ERROR_CODES.functionNotSupported)),
    },
    deviceGone: () => undefined,
    lost: () => undefined,
    close: async () => uplinks.close(),
  };
}

async function openFarSide(options: SiteSideOptions): Promise<SiteSide> {
  const { environment, clock, disk, hub, fleet, candidates, log, onViewer, onCutOff, onAccepted } = options;
  const { masterKey, stateFolder, farPlace, version } = environment;
  const enrolment = new Enrolment({
    file: new SealedFile({ disk, path: join(stateFolder, 'enrolment.sealed'), masterKey, purpose: 'enrolment' }),
    onFault: (error) => log.warn({ err: error }, 'the kept enrolment could not be read'),
  });
  await enrolment.load(farPlace, fetchAuthority);
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'a stream could not be brought to the centre');
  const relay = new RelayDoor({ hub, clock, fleet, candidates, onFailure });
  const uplink = new Uplink({
    clock,
    log,
    dial: (socketOptions) => openServerSocket(enrolment.enrolled, socketOptions),
    serve: (use, stream) => (use === 'http' ? onViewer(stream) : relay.accept(stream)),
  });
  const watch = new LineWatch({ clock, onCutOff });
  const accepted = (): void => {
    watch.back();
    onAccepted();
  };
  return {
    way: farWay({ enrolment, version, log, onAccepted: accepted }),
    farUpstream: () => null,
    pass: () => false,
    passUpgrade: () => false,
    onUpgrade: {},
    calls: {
      uplinks: () => Promise.reject(new CallRefusal(ERROR_CODES.functionNotSupported)),
      uplink: async ({ token }) => {
        uplink.use(token);
        return {};
      },
    },
    deviceGone: (deviceSerial) => relay.deviceGone(deviceSerial),
    lost: () => watch.lost(),
    close: async () => {
      watch.back();
      uplink.close();
      await relay.close();
    },
  };
}
