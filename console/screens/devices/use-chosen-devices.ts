// The devices that are ticked in the table, on every page of it: those of other pages are read again, by batches of 100 (CA-05).
import type { Device } from '@vedette/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { batchDevices } from '../../calls/paged-calls.ts';
import { useCaller } from '../../services/services.ts';

const NONE: ReadonlyMap<string, Device> = new Map();

/** `rows`: the page that is shown. */
export function useChosenDevices(rows: readonly Device[]) {
  const caller = useCaller();
  /** By key, as they were when they were ticked. */
  const [ticked, setTicked] = useState(NONE);
  const shown = useMemo(() => new Map(rows.map((device) => [device.keySerial, device])), [rows]);
  const elsewhere = [...ticked].flatMap(([key, { deviceSerial }]) => (shown.has(key) ? [] : [deviceSerial]));
  const { data } = useQuery({
    queryKey: ['device/batch', elsewhere],
    queryFn: async ({ signal }) => {
      const devices = await batchDevices(caller, elsewhere, { signal, showError: false });
      return new Map(devices.map((device) => [device.deviceSerial, device]));
    },
    enabled: elsewhere.length > 0,
  });
  // What is gone, or may not be seen any more, leaves the choice; until the answer is there, it counts as it was.
  const newest = (key: string, device: Device) =>
    shown.get(key) ?? (data === undefined ? device : data.get(device.deviceSerial));
  const chosen = [...ticked].flatMap(([key, device]) => newest(key, device) ?? []);
  return {
    chosen,
    elsewhereCount: chosen.filter(({ keySerial }) => !shown.has(keySerial)).length,
    ticked: new Set(ticked.keys()) as ReadonlySet<string>,
    tick: (keys: ReadonlySet<string>): void =>
      setTicked(new Map([...keys].flatMap((key) => pair(key, shown.get(key) ?? ticked.get(key))))),
    choose: (devices: readonly Device[]): void =>
      setTicked(new Map(devices.map((device) => [device.keySerial, device]))),
  };
}

function pair(key: string, device: Device | undefined): [string, Device][] {
  return device === undefined ? [] : [[key, device]];
}
