// Valid inputs of the calls of apps and of authorisation.
import type { GoodInputs } from './good-input.ts';

export const appInputs = {
  'app/list': () => ({}),
  'app/status': ({ appId }) => ({ appId }),
  'app/save': ({ appId }) => ({
    appId,
    version: 1,
    appName: 'Door bell',
    logo: 'data:image/png;base64,AAAA',
    redirectUriList: ['https://app.example/callback'],
    embedOriginList: ['https://portal.example'],
    scopeList: ['device.list', 'live'],
    isPublic: false,
    isEnabled: true,
  }),
  'app/secret/rotate': ({ appId }) => ({ appId, overlapHours: 1 }),
  'app/approve': ({ appId }) => ({ appId, isApproved: true }),
  'app/delete': ({ spareAppId }) => ({ appId: spareAppId }),
  'oauth/interaction/get': () => ({ interactionId: UNKNOWN }),
  'oauth/interaction/confirm': ({ deviceSerial, organizationId }) => ({
    interactionId: UNKNOWN,
    deviceSerialList: [deviceSerial],
    organizationIdList: [organizationId],
    endTime: 4_000_000_000_000,
  }),
  'oauth/interaction/abort': () => ({ interactionId: UNKNOWN }),
  'oauth/device/get': () => ({ userCode: 'BCDF-GHJK' }),
  'oauth/device/confirm': ({ deviceSerial, organizationId }) => ({
    userCode: 'BCDF-GHJK',
    isAllowed: true,
    deviceSerialList: [deviceSerial],
    organizationIdList: [organizationId],
    endTime: 4_000_000_000_000,
  }),
  'oauth/launch/begin': ({ appId }) => ({ appId, redirectUri: 'https://app.example/callback', scope: 'live' }),
  'oauth/launch/get': () => ({ authCode: NO_LAUNCH }),
  'oauth/launch/confirm': () => ({ authCode: NO_LAUNCH }),
  'oauth/launch/abort': () => ({ authCode: NO_LAUNCH, state: 'S' }),
  'oauth/grant/list': () => ({}),
  'oauth/grant/revoke': () => ({ grantId: UNKNOWN }),
} satisfies Partial<GoodInputs>;

const UNKNOWN = 'A_question_that_nobody_asked';
const NO_LAUNCH = 'x'.repeat(43);
