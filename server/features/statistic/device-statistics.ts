// Statistics of devices: how much of the time they were online, how often and why they were not.
import {
  type DeviceSum,
  deviceCourse,
  deviceSums,
  type NamedDevice,
  namedDevices,
} from '../../database/statistic-read/statistic-read.queries.ts';
import {
  breakdownOf,
  courseOf,
  percentOf,
  type StatisticParts,
  type StatisticQuestion,
  sumOf,
} from './statistic-parts.ts';

type NamedSum = DeviceSum & { readonly device: NamedDevice };

export async function deviceStatistics(question: StatisticQuestion): Promise<StatisticParts> {
  const [course, sums, devices] = await Promise.all([
    deviceCourse(question),
    deviceSums(question),
    namedDevices(question),
  ]);
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const named = sums.flatMap((sum): NamedSum[] => {
    const device = byId.get(sum.deviceId);
    return device === undefined || sum.state === 'unknown' ? [] : [{ ...sum, device }];
  });
  const share = courseOf(question, course, { valueOf: (row) => percentOf(row.onlineMs, row.knownMs), none: null });
  const outages = courseOf(question, course, { valueOf: (row) => row.outages, none: 0 });
  const [now, before] = [named.filter((one) => !one.isBefore), named.filter((one) => one.isBefore)];
  return {
    figureList: [
      { figure: 'onlineShare', unit: 'percent', value: onlineShare(now), before: onlineShare(before) },
      { figure: 'outages', unit: 'count', value: sumOf(outages.valueList), before: sumOf(outages.beforeList) },
      { figure: 'offlineMs', unit: 'ms', value: offlineMs(now), before: offlineMs(before) },
    ],
    seriesList: [
      { series: 'onlineShare', unit: 'percent', ...share },
      { series: 'outages', unit: 'count', ...outages },
    ],
    breakdownList: breakdowns(named),
  };
}

function breakdowns(named: readonly NamedSum[]): StatisticParts['breakdownList'] {
  const by = (keyOf: (device: NamedDevice) => readonly [string, string]) =>
    named.map((sum) => {
      const [key, name] = keyOf(sum.device);
      return { ...sum, key, name };
    });
  const shares = { unit: 'percent', valueOf: onlineShare, smallestFirst: true } as const;
  const offline = named.filter(({ state }) => state !== 'online').map((sum) => ({ ...sum, key: sum.state, name: '' }));
  return [
    breakdownOf(
      by((device) => [device.organizationId, device.organizationName]),
      { breakdown: 'onlineByOrganization', ...shares },
    ),
    breakdownOf(
      by((device) => [String(device.deviceType), '']),
      { breakdown: 'onlineByDeviceType', ...shares },
    ),
    breakdownOf(
      by((device) => [device.deviceSerial, device.deviceName]),
      { breakdown: 'onlineByDevice', ...shares },
    ),
    breakdownOf(offline, { breakdown: 'offlineByReason', unit: 'ms', valueOf: offlineMs }),
  ];
}

function onlineShare(sums: readonly DeviceSum[]): number | null {
  const online = sums.filter(({ state }) => state === 'online');
  return percentOf(sumOf(online.map((one) => one.lastedMs)), sumOf(sums.map((one) => one.lastedMs)));
}

function offlineMs(sums: readonly DeviceSum[]): number {
  return sumOf(sums.map(({ state, lastedMs }) => (state === 'online' ? 0 : lastedMs)));
}
