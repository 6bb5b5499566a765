// The match that Enter opens in the search of a tree.
import { describe, expect, it } from 'vitest';
import { flatTree } from './flat-tree.ts';
import { bestMatch, searchTexts } from './tree-search.ts';

interface Node {
  readonly id: string;
  readonly name: string;
  readonly nodeType: string;
  readonly children?: readonly Node[];
}
const leaf = (name: string): Node => ({ id: name, name, nodeType: 'device' });
const branch = (name: string, ...children: Node[]): Node => ({ id: name, name, nodeType: 'organization', children });

const tree = flatTree<Node>([
  branch('Gate', leaf('Old gate house'), leaf('Gate house'), leaf('Navigate')),
  branch('Harbour', leaf('East gate'), leaf('GATE')),
]);
const texts = searchTexts(tree, ({ name }) => name);
const found = (keyWord: string): string | undefined => tree.nodes[bestMatch(tree, texts, keyWord)]?.name;

describe('bestMatch', () => {
  it.each([
    ['gate', 'GATE', 'the whole name, whatever its case, and a camera before an organisation'],
    ['gate h', 'Gate house', 'the beginning of a name before the middle of one'],
    ['east', 'East gate', 'the only match'],
    ['avig', 'Navigate', 'a part of a word'],
    ['harb', 'Harbour', 'an organisation where no camera matches'],
    ['house old', 'Old gate house', 'words in any order'],
  ])('for "%s" is %s: %s', (keyWord, name) => {
    expect(found(keyWord)).toBe(name);
  });

  it('is none for a blank key word and for one that nothing contains', () => {
    expect(bestMatch(tree, texts, '  ')).toBe(-1);
    expect(bestMatch(tree, texts, 'roof')).toBe(-1);
  });
});
