// Every overlay of the console, found in its sources: dialogs, menus, popovers, drawers and inspectors, each with what its title may say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import ts from 'typescript';
import { filesBelow, root } from '../project/source-files.ts';
import { saying } from './console-steps.ts';

/** What opens over a page or beside it. `console/ui` has the plain ones; the others pass their title on. */
const OVERLAYS = new Set([
  'Dialog',
  'ConfirmDialog',
  'DangerDialog',
  'Drawer',
  'Inspector',
  'EditingInspector',
  'Menu',
  'ContextMenu',
  'Popover',
]);
/** They pass on what their users give, and are counted there. */
const PASSING_ON = /^console\/(?:ui\/|features\/confirm\/|features\/editing\/)/;

export interface ConsoleOverlay {
  /** `file: title as it stands in the source`. */
  readonly name: string;
  /** What is read on the screen, in English; none where the title is no phrase. */
  readonly titles: readonly RegExp[];
  /** Phrases of its file, by which one without a title of its own is known. */
  readonly words: readonly string[];
}

/** What a page shows of one that is open. */
export interface OpenOverlay {
  readonly title: string;
  readonly text: string;
}

/** So many of its phrases make it out. */
const WORDS_ENOUGH = 2;

export function isOverlay({ titles, words }: ConsoleOverlay, open: OpenOverlay): boolean {
  if (titles.length > 0) return titles.some((title) => title.test(open.title));
  return words.filter((word) => open.text.includes(word)).length >= Math.min(WORDS_ENOUGH, words.length);
}

const phrases = english as Readonly<Record<string, string>>;

export function consoleOverlays(): ConsoleOverlay[] {
  return filesBelow('console', /(?<!\.test)\.tsx$/)
    .filter(({ name }) => !PASSING_ON.test(name))
    .flatMap(({ name }) => overlaysIn(name));
}

function overlaysIn(file: string): ConsoleOverlay[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: ConsoleOverlay[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxOpeningLikeElement(node) && OVERLAYS.has(node.tagName.getText())) {
      const title = titleOf(node);
      const written = title?.getText().replace(/\s+/g, ' ') ?? '';
      const titles = title ? phrasesIn(title, source) : [];
      found.push({ name: `${file.replace('console/', '')}: ${written}`, titles, words: wordsIn(text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function titleOf(element: ts.JsxOpeningLikeElement): ts.Expression | undefined {
  for (const attribute of element.attributes.properties) {
    if (!ts.isJsxAttribute(attribute) || !/^(?:title|label)$/.test(attribute.name.getText())) continue;
    const { initializer } = attribute;
    if (initializer && ts.isJsxExpression(initializer)) return initializer.expression;
  }
  return undefined;
}

/** Of every key of a phrase in the expression, or in what the file sets the name to that it consists of. */
function phrasesIn(title: ts.Expression, source: ts.SourceFile): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node))
      found.push(...ofKey((key) => key === node.text || /^_(?:one|other)$/.test(key.replace(node.text, ''))));
    if (ts.isTemplateExpression(node)) {
      const ends = [node.head.text, node.templateSpans.at(-1)?.literal.text ?? ''];
      found.push(
        ...ofKey((key) => key.startsWith(ends[0] ?? '') && key.replace(/_(?:one|other)$/, '').endsWith(ends[1] ?? '')),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.isIdentifier(title) ? (setIn(source, title.text) ?? title) : title);
  return found;
}

function wordsIn(text: string): string[] {
  const keys = [...text.matchAll(/'([\w.]+)'/g)].map(([, key = '']) => phrases[key] ?? '');
  return [...new Set(keys)].filter((phrase) => phrase.length > 5 && !phrase.includes('{'));
}

function ofKey(isMeant: (key: string) => boolean): RegExp[] {
  return Object.keys(phrases)
    .filter(isMeant)
    .map((key) => saying(phrases[key] ?? ''));
}

function setIn(source: ts.SourceFile, name: string): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name) found ??= node.initializer;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
