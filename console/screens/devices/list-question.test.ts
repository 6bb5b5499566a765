// Tests of the devices screen's address.
import { describe, expect, it } from 'vitest';
import { readDeviceListQuery, toCall, writeQuestion } from './list-question.ts';

describe('[DM-01] the devices screen reads its query from the address', () => {
  it('reads back what it writes', () => {
    const question = readDeviceListQuery(
      new URLSearchParams('q=gate&status=offline&org=7&sort=latestOnline&order=desc&page=3&device=A1&add=1'),
    );
    expect(readDeviceListQuery(writeQuestion(question))).toEqual(question);
    expect(toCall(question)).toEqual({
      pageNo: 3,
      pageSize: 50,
      keyWord: 'gate',
      status: 0,
      organizationId: '7',
      sortBy: 'latestOnline',
      sortOrder: 'desc',
    });
  });
  it('falls back to defaults for unknown values', () => {
    const question = readDeviceListQuery(new URLSearchParams('status=odd&sort=secret&page=-4'));
    expect(writeQuestion(question).toString()).toBe('');
    expect(toCall(question)).toEqual({ pageNo: 1, pageSize: 50, sortBy: 'deviceName', sortOrder: 'asc' });
  });
});
