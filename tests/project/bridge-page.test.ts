// docs/bridge.md says what the registry of topics says: its tables are written from it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { CS_TOPICS } from '../../bridge/topics/cs-topics.ts';
import type { Topic } from '../../bridge/topics/topic.ts';
import { WEB_TOPICS } from '../../bridge/topics/web-topics.ts';
import { expectSnapshot } from './snapshot-file.ts';
import { root } from './source-files.ts';

const PAGE = 'docs/bridge.md';
const WRITTEN = /(<!-- (\w+): written from the registry -->\n)[\s\S]*?(\n<!-- end -->)/g;
const TABLES: Readonly<Record<string, Readonly<Record<string, Topic>>>> = { web: WEB_TOPICS, cs: CS_TOPICS };

it('the protocol page describes every topic as the registry has it', () => {
  const page = readFileSync(path.join(root, PAGE), 'utf8');
  expect([...page.matchAll(WRITTEN)].map(([, , name]) => name)).toEqual(Object.keys(TABLES));
  const written = page.replace(WRITTEN, (_all, start: string, name: string, end: string) => {
    const sections = Object.entries(TABLES[name] ?? {}).map(([topic, one]) => section(name, topic, one));
    return `${start}\n${sections.join('\n')}${end}`;
  });
  expectSnapshot(PAGE, written.replace(/\n$/, '').split('\n'));
});

function section(direction: string, name: string, topic: Topic): string {
  const { summary, timeLimitMs, right, queue } = topic;
  const rules = [
    `${timeLimitMs / 1000} s`,
    ...(right === 'none' ? [] : [RIGHTS[right]]),
    ...(queue === null ? [] : [`one at a time in each window of ${queue.name}`]),
    ...(queue?.supersedes === true ? ['ends the earlier ones there'] : []),
  ];
  return [
    `### \`/api/v1.0/${direction}/${name}\``,
    '',
    summary,
    '',
    `- Takes: ${fieldsOf(topic.request, 'input')}`,
    `- Answers: ${fieldsOf(topic.answer, 'output')}`,
    `- Limits: ${rules.join(', ')}`,
    '',
  ].join('\n');
}

const RIGHTS = { session: 'for a signed-in account', ownAccount: "for the account's own session alone" } as const;

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function fieldsOf(schema: z.ZodType, io: 'input' | 'output'): string {
  return objectText(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape);
}

/** An optional field has a question mark. */
function objectText({ properties = {}, required = [] }: Shape): string {
  const fields = Object.entries(properties).map(
    ([name, shape]) => `\`${name}${required.includes(name) ? '' : '?'}\` ${shapeText(shape)}`,
  );
  return fields.length === 0 ? 'nothing' : fields.join(', ');
}

function shapeText(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(shapeText).join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(' or ');
  if (shape.type === 'array') return `list of ${shapeText(shape.items ?? {})}`;
  if (shape.type === 'object') return `{ ${objectText(shape)} }`;
  return (shape.type ?? 'any') + rangeText(shape);
}

/** The limits of whole numbers that JSON has anyway are no news. */
function rangeText({ minimum, maximum }: Shape): string {
  const isPlain = (limit: number | undefined) => limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER;
  return isPlain(minimum) && isPlain(maximum) ? '' : ` ${minimum}–${maximum}`;
}
