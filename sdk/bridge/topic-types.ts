// What each topic takes and answers, by name. In the package that others install the build writes these types out, so that they need nothing of ours.
import type { CsTopics as CsTable } from '@vedette/bridge/topics/cs-topics.ts';
import type { TopicAnswer, TopicName, TopicRequest } from '@vedette/bridge/topics/topic.ts';
import type { WebTopics as WebTable } from '@vedette/bridge/topics/web-topics.ts';

/** From the shell to the page. */
export type WebTopics = {
  readonly [N in TopicName<WebTable>]: {
    readonly request: TopicRequest<WebTable, N>;
    readonly answer: TopicAnswer<WebTable, N>;
  };
};
/** From the page to the shell. */
export type CsTopics = {
  readonly [N in TopicName<CsTable>]: {
    readonly request: TopicRequest<CsTable, N>;
    readonly answer: TopicAnswer<CsTable, N>;
  };
};
