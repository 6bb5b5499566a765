// The role of this site: the local site beside the server, or a remote site that dials out to it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import { MEDIA_TUNNEL_PATH } from '@vedette/contract/remote-site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Logger } from 'pino';
import { CallRefusal } from './core/call-refusal.ts';
import type { Candidates } from './onboarding/candidates.ts';
import { RemoteStreams } from './media-tunnel/remote-streams.ts';
import { RemoteTracks } from './media-tunnel/remote-tracks.ts';
import { serveTracks, type TracksOfChannel } from './media-tunnel/track-relay.ts';
import { MediaTunnels } from './media-tunnel/media-tunnels.ts';
import type { Environment } from './process/environment.ts';
import { Enrolment } from './connection/enrolment.ts';
import { RelayListener } from './media-tunnel/relay-listener.ts';
import { fetchAuthority, openServerSocket } from './connection/server-socket.ts';
import { MediaTunnelClient } from './media-tunnel/media-tunnel-client.ts';
import type { Fleet } from './supervision/fleet.ts';
import type { HttpServerOptions } from './process/http-server.ts';
import { ConnectionWatchdog } from './connection/connection-watchdog.ts';
import type { MediaAuthorizerOptions } from './media/media-authorizer.ts';
import { SealedFile } from './state/sealed-file.ts';
import type { ServerTransport } from './connection/server-connection.ts';
import { remoteTransport, localTransport } from './connection/server-transports.ts';

export interface SiteRole {
  readonly transport: ServerTransport;
  readonly remoteUpstream: MediaAuthorizerOptions['remoteUpstream'];
  readonly remoteTracks: MediaAuthorizerOptions['remoteTracks'];
  /** True: handled for a remote site. */
  readonly relay: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly relayUpgrade: NonNullable<HttpServerOptions['relayUpgrade']>;
  readonly onUpgrade: HttpServerOptions['onUpgrade'];
  readonly calls: {
    readonly [N in 'uplink' | 'uplinks']: (input: SiteCalls[N]['input']) => Promise<Record<string, never>>;
  };
  readonly deviceGone: (deviceSerial: string) => void;
  readonly lost: () => void;
  readonly close: () => Promise<void>;
}

export interface SiteRoleOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly hub: StreamHub;
  readonly fleet: Fleet;
  readonly candidates: Candidates;
  /** What edge intelligence follows here. */
  readonly tracksOf: TracksOfChannel;
  readonly log: Logger;
  /** A viewer came through the media tunnel. */
  readonly onViewer: (stream: Duplex) => void;
  /** The server was unreachable for so long that rights may have ended. */
  readonly onCutOff: () => void;
  /** Connected: the server may have lost the state of our devices. */
  readonly onAccepted: () => void;
}

export async function openSiteRole(options: SiteRoleOptions): Promise<SiteRole> {
  const { serverSocketPath, masterKey } = options.environment;
  return serverSocketPath === null
    ? await openRemoteSite(options)
    : openLocalSite(options, localTransport({ serverSocketPath, masterKey }));
}

function openLocalSite({ clock, log }: SiteRoleOptions, transport: ServerTransport): SiteRole {
  const mediaTunnels = new MediaTunnels({ clock, log });
  const streams = new RemoteStreams({ clock, mediaTunnels });
  const tracks = new RemoteTracks({ clock, mediaTunnels, leadMs: (streamKey) => streams.leadMs(streamKey) });
  return {
    transport,
    remoteUpstream: (grant) => streams.upstream(grant),
    remoteTracks: (channel, streamKey) => (onTracks) => tracks.follow(channel, streamKey, onTracks),
    relay: mediaTunnels.relay,
    relayUpgrade: mediaTunnels.relayUpgrade,
    onUpgrade: { [MEDIA_TUNNEL_PATH]: mediaTunnels.handleUpgrade },
    calls: {
      uplinks: async (input) => {
        mediaTunnels.expect(input);
        return {};
      },
      uplink: () => Promise.reject(new CallRefusal(ERROR_CODES.functionNotSupported)),
    },
    deviceGone: () => undefined,
    lost: () => undefined,
    close: async () => mediaTunnels.close(),
  };
}

async function openRemoteSite(options: SiteRoleOptions): Promise<SiteRole> {
  const { environment, clock, disk, hub, fleet, candidates, tracksOf, log, onViewer, onCutOff, onAccepted } = options;
  const { masterKey, stateFolder, enrolment: farPlace, version } = environment;
  const enrolment = new Enrolment({
    file: new SealedFile({ disk, path: join(stateFolder, 'enrolment.sealed'), masterKey, purpose: 'enrolment' }),
    onFault: (error) => log.warn({ err: error }, 'the kept enrolment could not be read'),
  });
  await enrolment.load(farPlace, fetchAuthority);
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'a stream could not be brought to the centre');
  const relay = new RelayListener({ hub, clock, fleet, candidates, onFailure });
  const uplink = new MediaTunnelClient({
    clock,
    log,
    dial: (socketOptions) => openServerSocket(enrolment.enrolled, socketOptions),
    serve: (use, stream) => {
      if (use === 'http') onViewer(stream);
      else if (use === 'rtsp') relay.accept(stream);
      else serveTracks(stream, tracksOf);
    },
  });
  const watch = new ConnectionWatchdog({ clock, onCutOff });
  const accepted = (): void => {
    watch.restored();
    onAccepted();
  };
  return {
    transport: remoteTransport({ enrolment, version, log, onAccepted: accepted }),
    remoteUpstream: () => null,
    remoteTracks: () => () => () => undefined,
    relay: () => false,
    relayUpgrade: () => false,
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
      watch.restored();
      uplink.close();
      await relay.close();
    },
  };
}
