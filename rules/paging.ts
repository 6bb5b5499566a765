// The two ways of paging: pageStart counts pages from 0, pageNo from 1.

export interface PageQuestion {
  readonly pageStart?: number | undefined;
  readonly pageNo?: number | undefined;
  readonly pageSize: number;
}

/** First row and number of rows; pageStart wins where both are named. */
export function pageRange(question: PageQuestion): { offset: number; limit: number } {
  const page = question.pageStart ?? (question.pageNo === undefined ? 0 : question.pageNo - 1);
  return { offset: page * question.pageSize, limit: question.pageSize };
}

/** The loop variant of channel/list goes on while this is true (CA-05). */
export function hasMorePages(total: number, pageStart: number, pageSize: number): boolean {
  return total > (pageStart + 1) * pageSize;
}
