// Tasks of edge intelligence that tests save, and what is drawn in them.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { CallClient } from '../server-under-test.ts';

export const LINE = {
  regionId: 'gate',
  regionName: 'Gate',
  kind: 'line',
  points: [
    { x: 0.2, y: 0.5 },
    { x: 0.8, y: 0.5 },
  ],
  direction: 'in',
  colour: '#2f80ed',
} as const;

export const ZONE = {
  regionId: 'yard',
  regionName: 'Yard',
  kind: 'zone',
  points: [
    { x: 0.1, y: 0.1 },
    { x: 0.9, y: 0.1 },
    { x: 0.5, y: 0.9 },
  ],
  direction: 'both',
  colour: '#27ae60',
} as const;

/** A task that watches a line; its arrays are new ones each time. */
export const crossingTask = (deviceSerial: string, taskName = 'Gate'): CallInput<'ai/task/save'> => ({
  deviceSerial,
  channelNo: 1,
  taskName,
  algorithm: 'lineCrossing',
  regionList: [{ ...LINE, points: [...LINE.points] }],
  classList: ['person', 'vehicle'],
});

/** Two tasks on the first channel. */
export async function createAnalysisTasks(client: CallClient, deviceSerial: string) {
  const add = async (taskName: string) =>
    (await client.ok('ai/task/save', crossingTask(deviceSerial, taskName))).task.taskId;
  return { analysisTaskId: await add('Gate'), spareAnalysisTaskId: await add('Old gate') };
}
