// Statistics of traffic: media received from devices, sent to viewers, and relayed from remote sites.
import type { TrafficDirection } from '@vedette/contract/site/site-traffic.ts';
import { channelTraffic, trafficCourse, viewerTraffic } from '../../database/statistic-read/statistic-read.queries.ts';
import { breakdownOf, courseOf, type StatisticParts, type StatisticQuestion, sumOf } from './statistic-parts.ts';

export async function trafficStatistics(question: StatisticQuestion): Promise<StatisticParts> {
  const [course, channels, viewers] = await Promise.all([
    trafficCourse(question),
    channelTraffic(question),
    viewerTraffic(question),
  ]);
  const of = (direction: TrafficDirection) =>
    courseOf(
      question,
      course.filter((row) => row.direction === direction),
      { valueOf: (row) => row.bytes, none: 0 },
    );
  const seriesList = [
    { series: 'inBytes', unit: 'bytes', ...of('in') },
    { series: 'outBytes', unit: 'bytes', ...of('out') },
    { series: 'relayBytes', unit: 'bytes', ...of('relay') },
  ] as const;
  const byChannel = channels.map((one) => ({
    ...one,
    key: `${one.deviceSerial} ${one.channelNo}`,
    name: one.channelName,
  }));
  const byViewer = viewers.map((one) => ({ ...one, key: one.userName, name: '' }));
  const bytes = {
    unit: 'bytes',
    valueOf: (parts: readonly { readonly bytes: number }[]) => sumOf(parts.map((one) => one.bytes)),
  } as const;
  return {
    figureList: seriesList.map(({ series, valueList, beforeList }) => ({
      figure: series,
      unit: 'bytes',
      value: sumOf(valueList),
      before: sumOf(beforeList),
    })),
    seriesList: [...seriesList],
    breakdownList: [
      breakdownOf(byChannel, { breakdown: 'trafficByChannel', ...bytes }),
      breakdownOf(byViewer, { breakdown: 'trafficByViewer', ...bytes }),
    ],
  };
}
