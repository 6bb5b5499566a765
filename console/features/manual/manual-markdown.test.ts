// Which blocks the Markdown of the manual becomes.
import { expect, it } from 'vitest';
import { blockText, readInline, readPage } from './manual-markdown.ts';

it('reads labels, keys and links inside a line', () => {
  expect(readInline('Choose **Save as…**, press `L`, see [tours](live-wall.md#tours).')).toEqual([
    { kind: 'text', text: 'Choose ' },
    { kind: 'label', text: 'Save as…' },
    { kind: 'text', text: ', press ' },
    { kind: 'code', text: 'L' },
    { kind: 'text', text: ', see ' },
    { kind: 'link', text: 'tours', target: 'live-wall.md#tours' },
    { kind: 'text', text: '.' },
  ]);
});

it('leaves a mark that is not closed as it is', () => {
  expect(readInline('2 ** 3 and [open')).toEqual([{ kind: 'text', text: '2 ** 3 and [open' }]);
});

it('reads the blocks of a page', () => {
  const { title, blocks } = readPage(`# Live wall

One line
and the next.

## Tours <!-- tours -->

1. First
2. Second
   goes on.

- A point

> A note

| Key | Does |
|---|---|
| \`F\` | Full screen |

![The wall](../images/en/live.webp)

\`\`\`
npm start
\`\`\`
`);
  expect(title).toBe('Live wall');
  expect(blocks.map(({ kind }) => kind)).toEqual([
    'paragraph',
    'heading',
    'steps',
    'points',
    'note',
    'table',
    'picture',
    'code',
  ]);
  expect(blocks.map(blockText)).toEqual([
    'One line and the next.',
    'Tours',
    'First Second goes on.',
    'A point',
    'A note',
    'Key Does F Full screen',
    'The wall',
    'npm start',
  ]);
  expect(blocks[1]).toEqual({ kind: 'heading', level: 2, id: 'tours', text: 'Tours' });
  expect(blocks[6]).toEqual({ kind: 'picture', name: 'live.webp', description: 'The wall' });
});

it('joins broken Chinese lines without a space', () => {
  const { blocks } = readPage('# 预览\n\n第一行，\n第二行。');
  expect(blocks.map(blockText)).toEqual(['第一行，第二行。']);
});
