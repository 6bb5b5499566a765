// Devices of the local network as the native shell around the page knows them: kept in the client state (UI-06).
import { useEffect } from 'react';
import { greetShell } from '../../bridge/native-shell.ts';
import { useClientState } from '../../session/client-state.ts';

export interface LanDevice {
  readonly name: string;
  /** Host or host:port of its own page. */
  readonly address: string;
}

const MOST = 64;
/** No scheme, no path, nothing that a page could run. */
const ADDRESS = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,39}\])(?::\d{1,5})?$/;

export function useLanDevices(): readonly LanDevice[] {
  const list = useClientState((state) => state.lanDeviceList) as readonly LanDevice[];
  useEffect(() => {
    void greetShell().then(({ lanDeviceList: found = [] }) =>
      useClientState.setState({ lanDeviceList: found.filter(isLanDevice).slice(0, MOST) }),
    );
  }, []);
  return list;
}

function isLanDevice(one: unknown): one is LanDevice {
  const { name, address } = (one ?? {}) as Partial<LanDevice>;
  return typeof name === 'string' && typeof address === 'string' && ADDRESS.test(address);
}
