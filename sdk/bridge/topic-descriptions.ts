// The registry as plain data, for programs that check messages by other means.
import type { TopicTable } from '@vedette/bridge/topics/topic.ts';
import { z } from 'zod';
import type { TopicDescription } from './bridge-types.ts';

export function describeTopics(table: TopicTable, prefix: string): readonly TopicDescription[] {
  return Object.entries(table).map(([name, { summary, request, answer, timeLimitMs, right }]) => ({
    name,
    url: prefix + name,
    summary,
    request: schemaOf(request, 'input'),
    answer: schemaOf(answer, 'output'),
    timeLimitMs,
    right,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
