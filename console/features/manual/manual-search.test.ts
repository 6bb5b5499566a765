// What the search of the manual finds, and in which order.
import { expect, it } from 'vitest';
import { readManual } from './manual.ts';
import { sectionsOf } from './manual-search.ts';
import { searchSections } from './section-search.ts';

const manual = readManual({
  pages: {
    'en/ptz.md': '# PTZ\n\nMove a camera.\n\n## Presets <!-- presets -->\n\nA preset is a position of the camera.',
    'en/live-wall.md':
      '# Live wall\n\nA preset can be chosen on the tile too.\n\n## Tours <!-- tours -->\n\nPages in turn.',
    'zh-CN/playback.md': '# 录像回放\n\n时间轴上的空白处会说明原因。',
  },
  pictures: {},
});
const found = (question: string) =>
  searchSections(sectionsOf(manual), question).map(({ page, heading }) => [page, heading]);

it('puts a section whose heading has the word before one whose text has it', () => {
  expect(found('preset')).toEqual([
    ['ptz', 'presets'],
    ['live-wall', undefined],
  ]);
});

it('finds the singular by the plural, and nothing by half of a question', () => {
  expect(found('Presets camera')).toEqual([['ptz', 'presets']]);
  expect(found('preset zebra')).toEqual([]);
  expect(found('   ')).toEqual([]);
});

it('finds Chinese words inside a sentence', () => {
  expect(found('空白')).toEqual([['playback', undefined]]);
});

it('shows the words around the match', () => {
  const [first] = searchSections(sectionsOf(manual), 'position');
  expect(first?.excerpt).toBe('A preset is a position of the camera.');
});
