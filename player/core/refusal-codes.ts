// The answer codes that the player tells apart: its pages load these alone, and not the table of every code.
import type { ERROR_CODES } from '@vedette/contract/errors.ts';

export const REFUSAL_CODES = {
  serverInternalError: 1000,
  tokenInvalid: 1001,
  tokenExpired: 1002,
  permissionDenied: 1004,
  functionNotSupported: 1006,
  notFound: 1007,
  ownership: 1008,
  devNotExist: 1009,
  serviceBusy: 1012,
  shareEnded: 1017,
  videoClosed: 1041,
  userLocked: 2031,
  devInternalErr: 2316,
  devResponseTimeOut: 2317,
} as const satisfies Partial<typeof ERROR_CODES>;
