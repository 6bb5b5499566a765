// Tables of a Dahua device's configuration: one is asked for by name, and single keys of it are set.
import { DeviceFault } from '../../kit/device-fault.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { readKeyValues, setQueries } from './key-values.ts';

export type Table = ReadonlyMap<string, string>;

export async function tableOf(http: VendorHttp, name: string, signal?: AbortSignal): Promise<Table> {
  const table = readKeyValues(await http.get(`/cgi-bin/configManager.cgi?action=getConfig&name=${name}`, signal));
  if (table.size === 0) throw new DeviceFault('not-supported', `no table ${name}`);
  return table;
}

export async function setAll(
  http: VendorHttp,
  values: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<void> {
  for (const query of setQueries(values)) {
    const said = (await http.order(query, signal)).toString('utf8').trim();
    if (said !== 'OK') throw new DeviceFault('device', 'the device takes no such value', { fault: said.slice(0, 40) });
  }
}
