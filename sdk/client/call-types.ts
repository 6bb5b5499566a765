// What each call takes and answers, by path. In the package that others install the build writes these types out, so that they need no contract.
import type {
  CallInput,
  CallOutput,
  CallPath,
  UploadInput,
  UploadOutput,
  UploadPath,
} from '@vedette/contract/calls/calls.ts';

export type { PushEvent } from '@vedette/contract/calls/page-events.ts';

export type Calls = { readonly [P in CallPath]: { readonly input: CallInput<P>; readonly answer: CallOutput<P> } };
export type Uploads = {
  readonly [P in UploadPath]: { readonly input: UploadInput<P>; readonly answer: UploadOutput<P> };
};
