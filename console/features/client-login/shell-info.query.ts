// What the native shell around the page says of itself: devices of the local network, kept in the client state (UI-06), and where it would keep a key.
import type { ShellInfo } from '@vedette/bridge/peer/handshake.ts';
import { useEffect, useState } from 'react';
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

export interface KnownShell {
  readonly devices: readonly LanDevice[];
  /** Absent: the shell makes no keys. */
  readonly keyStore: ShellInfo['keyStore'];
}

export function useShellInfo(): KnownShell {
  const devices = useClientState((state) => state.lanDeviceList) as readonly LanDevice[];
  const [keyStore, setKeyStore] = useState<ShellInfo['keyStore']>();
  useEffect(() => {
    void greetShell().then(({ lanDeviceList: found = [], keyStore: kind }) => {
      useClientState.setState({ lanDeviceList: found.filter(isLanDevice).slice(0, MOST) });
      setKeyStore(kind);
    });
  }, []);
  return { devices, keyStore };
}

function isLanDevice(one: unknown): one is LanDevice {
  const { name, address } = (one ?? {}) as Partial<LanDevice>;
  return typeof name === 'string' && typeof address === 'string' && ADDRESS.test(address);
}
