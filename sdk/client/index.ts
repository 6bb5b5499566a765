// What the package `@vedette/client` offers.
export { CallError, NoAnswerError } from './call-error.ts';
export type { Calls, PushEvent, Uploads } from './call-types.ts';
export type { PagedPath, RowOf } from './paged-lists.ts';
export type { ConnectionState } from './connection-state.ts';
export { type CallOptions, type EventListeners, VedetteClient, type VedetteClientOptions } from './vedette-client.ts';
