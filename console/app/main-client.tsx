// The client entry: hash routing, for the page inside a native shell or the frame of an app, whose messages and launches it takes.
import { pageTransport, type ShellPage } from '@vedette/bridge/transports/page-transport.ts';
import type { ReactNode } from 'react';
import type { ClientParts } from '../client-mode/client-parts.ts';
import { readEmbedding } from '../client-mode/embedding.ts';
import { takeLaunch } from '../client-mode/launch/take-launch.ts';
import { type ConsoleEntry, startConsole } from './main-console.tsx';
import { showStartFailure } from './start-failure.ts';

// Before anything is waited for: a token does not stay in the address.
const launch = takeLaunch(window);
const embedding = readEmbedding(window);
const transport = pageTransport(window as unknown as ShellPage, embedding?.origins ?? []);

const inClient: ConsoleEntry = {
  isEmbedded: embedding !== null,
  /** The code of the bridge is loaded where somebody listens. */
  connect: async (parts: ClientParts): Promise<void> => {
    if (transport === null) return;
    const { startClientMode } = await import('../client-mode/start-client-mode.ts');
    startClientMode(parts, transport, embedding?.appId);
  },
  /** What stands above the pages while a launch asks something. */
  begin: async (parts: ClientParts): Promise<ReactNode> => {
    if (launch === null) return null;
    const [{ beginLaunch }, { LaunchDialog }] = await Promise.all([
      import('../client-mode/launch/launch-session.ts'),
      import('../client-mode/launch/launch-dialog.tsx'),
    ]);
    await beginLaunch(parts, launch);
    return <LaunchDialog parts={parts} />;
  },
};

startConsole('client', inClient).catch(showStartFailure);
