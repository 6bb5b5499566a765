// Bit rate, connection and last recording of the devices of a page, while a column shows one of them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DeviceMeasure } from '@vedette/contract/calls/device-measure.ts';
import type { Device } from '@vedette/contract/entities.ts';
import { useMemo } from 'react';
import { useCaller } from '../../services/services.ts';

const AGAIN_MS = 10_000;

/** By serial. */
export function useDeviceMeasures(
  devices: readonly Device[],
  isWanted: boolean,
): ReadonlyMap<string, DeviceMeasure> | undefined {
  const caller = useCaller();
  // Channels shared from one device list that device several times.
  const serials = [...new Set(devices.map(({ deviceSerial }) => deviceSerial))];
  const { data } = useQuery({
    queryKey: ['device/measure/list', serials],
    enabled: isWanted && serials.length > 0,
    queryFn: ({ signal }) =>
      caller.ask('device/measure/list', { deviceSerialList: serials }, { signal, showError: false }),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
  return useMemo(() => data && new Map(data.measureList.map((measure) => [measure.deviceSerial, measure])), [data]);
}
