// Tests of section and range in the address of the statistics screen.
import { describe, expect, it } from 'vitest';
import { readAsked, writeAsked } from './asked-statistics.ts';

const read = (text: string) => readAsked(new URLSearchParams(text));

describe('readAsked', () => {
  it('shows the overview of a week where the address says nothing', () => {
    expect(read('')).toEqual({ section: 'overview', range: 'week', startTime: null, endTime: null });
  });

  it('leaves out what it does not know', () => {
    expect(read('?section=weather&range=century&from=yesterday&to=-1')).toEqual(read(''));
  });

  it('reads what it wrote', () => {
    const asked = { section: 'alarm', range: 'custom', startTime: 1000, endTime: 2000 } as const;
    expect(read(writeAsked(asked))).toEqual(asked);
  });
});

describe('writeAsked', () => {
  it('writes times of a custom range alone', () => {
    const asked = { section: 'device', range: 'day', startTime: 1000, endTime: 2000 } as const;
    expect(writeAsked(asked)).toBe('?section=device&range=day');
  });
});
