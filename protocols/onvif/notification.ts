// A notification as events, metadata and search results carry it (ONVIF Core 9.4; WS-BaseNotification 3.2).
import { attribute, dateTime, many, optional, optionalAttribute, struct, text, token, topic } from './schema.ts';

const items = struct('tt', { SimpleItem: many(struct('tt', { Name: attribute(token), Value: attribute(text) })) });

export const notification = struct('wsnt', {
  Topic: optional(topic),
  Message: optional(
    struct('wsnt', {
      Message: optional(
        struct('tt', {
          UtcTime: optionalAttribute(dateTime),
          /** `Initialized`, `Changed` or `Deleted`; absent for topics that are no property. */
          PropertyOperation: optionalAttribute(token),
          Source: optional(items),
          Key: optional(items),
          Data: optional(items),
        }),
        'tt',
      ),
    }),
  ),
});
