// Types of a small program, written out in full.
import ts from 'typescript';
import { expect, it } from 'vitest';
import { typeText } from './type-text.ts';

const CASES = {
  TextOrNull: ['string | null', 'null | string'],
  Truth: ['boolean | undefined', 'undefined | boolean'],
  List: ["('a' | 'b')[]", 'readonly ("a" | "b")[]'],
  Flags: ['boolean[]', 'readonly boolean[]'],
  Rows: ['[number, string][]', 'readonly (readonly [number, string])[]'],
  Either: ['({ a: 1 } | { b: 2 })[]', 'readonly ({\n  readonly a: 1;\n} | {\n  readonly b: 2;\n})[]'],
  Pair: ['readonly [number, string]', 'readonly [number, string]'],
  Table: ['Record<string, number[]>', '{\n  readonly [key: string]: readonly number[];\n}'],
  Both: ['{ a: 1 } & { b: 2 }', '{\n  readonly a: 1;\n  readonly b: 2;\n}'],
  Optional: ["{ 'a-b'?: boolean }", "{\n  readonly 'a-b'?: boolean;\n}"],
  Nothing: ['{}', 'Record<string, never>'],
  Named: ['{ inner: Inner }', '{\n  readonly inner: {\n    /** In ms. */\n    readonly at: number;\n  };\n}'],
} as const;

const FILE = '/made.ts';
const SOURCE = [
  'interface Inner {\n  /** In ms. */\n  at: number\n}',
  ...Object.entries(CASES).map(([name, [type]]) => `type ${name} = ${type};`),
  'type Running = { run(): void };',
].join('\n');

/** One program for all: the compiler's own declarations take a second to read. */
const made = programOf(SOURCE);

function programOf(text: string): ts.Program {
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === FILE ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : read(file, ...rest);
  const lib = ['lib.es5.d.ts'];
  return ts.createProgram([FILE], { strict: true, noEmit: true, exactOptionalPropertyTypes: true, lib }, host);
}

function textOf(name: string): string {
  const alias = made
    .getSourceFile(FILE)
    ?.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name);
  if (alias === undefined) throw new Error(`no type ${name}`);
  return typeText(made.getTypeChecker().getTypeAtLocation(alias), made.getTypeChecker());
}

it.each(Object.entries(CASES))('%s: %s', (name, [, text]) => {
  expect(textOf(name)).toBe(text);
});

it('refuses what no wire carries', () => {
  expect(() => textOf('Running')).toThrow('a function');
});
