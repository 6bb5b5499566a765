// Type of valid inputs: one for every call, made from the fixture.
import type { CallInput, CallPath } from '@vedette/contract/calls.ts';
import type { Stage } from './stage.ts';

export type GoodInputs = { readonly [P in CallPath]: (stage: Stage) => CallInput<P> };

export const dev = ({ deviceSerial }: Stage) => ({ deviceSerial, channelNo: 1 });
