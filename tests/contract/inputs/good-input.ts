// Type of valid inputs: one for every call, made from the fixture.
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import type { InputFixture } from './input-fixture.ts';

export type GoodInputs = { readonly [P in CallPath]: (stage: InputFixture) => CallInput<P> };

export const channelInput = ({ deviceSerial }: InputFixture) => ({ deviceSerial, channelNo: 1 });
