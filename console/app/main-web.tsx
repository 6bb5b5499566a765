// The web entry: history routing; an app may launch it in SaaS mode by its address.
import type { ClientParts } from '../client-mode/client-parts.ts';
import { beginSaasLaunch, takeSaasLaunch } from '../session/saas-launch.ts';
import { type ConsoleEntry, startConsole } from './main-console.tsx';
import { showStartFailure } from './start-failure.ts';

// Before anything is waited for: a token does not stay in the address.
const launch = takeSaasLaunch(window);

const launched: ConsoleEntry = {
  begin: async ({ config, callerWith }: ClientParts) => {
    if (launch === null) return null;
    await config;
    const goTo = (address: string): void => history.replaceState(history.state, '', address);
    await beginSaasLaunch({ callerWith, goTo }, launch);
    return null;
  },
};

startConsole('web', launched).catch(showStartFailure);
