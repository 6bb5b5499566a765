// The form of good inputs: one for every call, made of what the stage holds.
import type { CallInput, CallPath } from '@vedette/contract/calls.ts';
import type { Stage } from './stage.ts';

export type GoodInputs = { readonly [P in CallPath]: (stage: Stage) => CallInput<P> };

export const dev = ({ deviceSerial }: Stage) => ({ deviceSerial, channelNo: 1 });
