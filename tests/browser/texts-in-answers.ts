// Changes the answers of the product on their way to a page: each text that people or devices gave is another one of a corpus.
import type { Page } from 'playwright-core';

export interface ChangedTexts {
  /** Names of the fields that were changed, and how often. */
  readonly fields: ReadonlyMap<string, number>;
  /** The first text that the next answer gets. */
  turnTo(offset: number): void;
}

export interface TextCorpus {
  readonly texts: readonly string[];
  readonly urls: readonly string[];
}

/** Given by people, cameras, other products. */
const TEXT =
  /(?:name|text|title|remark|description|comment|caption|label|model|manufacturer|detail|message|brand|address|note|topic|firmware|version|place|email|phone|subject|plate|value)$/i;
const URL_FIELD = /(?:url|avatar|link|picture|logo|oldWebsite)$/i;
/** What the console keeps to, or looks up by: a mistake there hides the rest. */
const KEPT = /^(?:apiURL|centerServer|serverVersion|clientName|zoneName)$/;

export async function changeAnswers(page: Page, { texts, urls }: TextCorpus): Promise<ChangedTexts> {
  const fields = new Map<string, number>();
  let offset = 0;
  /** The next for that field: many rows have many of them. */
  const next = (field: string, corpus: readonly string[]): string => {
    const count = fields.get(field) ?? 0;
    fields.set(field, count + 1);
    return corpus[(offset + count) % corpus.length] ?? '';
  };
  const changed = (field: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => changed(field, one));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, changed(name, held)]));
    }
    if (typeof value !== 'string' || KEPT.test(field)) return value;
    if (URL_FIELD.test(field)) return next(field, urls);
    return TEXT.test(field) ? next(field, texts) : value;
  };
  await page.route(/\/api\/v1\/|\/serverConfig\.json/u, async (route) => {
    const response = await route.fetch().catch(() => null);
    if (response === null) return await route.abort();
    const body = (await response.json()) as { data?: unknown };
    const json = 'data' in body ? { ...body, data: changed('', body.data) } : changed('', body);
    return await route.fulfill({ response, json });
  });
  return {
    fields,
    turnTo: (wanted) => {
      offset = wanted;
      fields.clear();
    },
  };
}
