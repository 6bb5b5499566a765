// Handlers of the device flow (RFC 8628): an account enters the code that a device shows, and answers its app.
import type { oauthCalls } from '@vedette/contract/calls/oauth.ts';
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { DeviceCode, Provider } from 'oidc-provider';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import { browserName } from '../../http/browser-name.ts';
import { questionOf } from './app-question.ts';
import { allowApp, usableApp } from './consent.ts';
import type { OauthDeps } from './interaction.handlers.ts';

export interface DeviceCodeDeps extends OauthDeps {
  readonly attempts: AttemptLimiter;
}

type DevicePath = Extract<keyof typeof oauthCalls, `oauth/device/${string}`>;

/** Wrong codes of one account (SE-61). */
const TRIES = { max: 5, windowMs: 10 * MINUTE_MS };

export function deviceCodeHandlers(deps: DeviceCodeDeps): Handlers<DevicePath> {
  const find = async (provider: Provider, accountId: string, userCode: string): Promise<DeviceCode> => {
    const attemptId = await deps.attempts.consume([{ key: `user code ${accountId}`, ...TRIES }]);
    const code = await provider.DeviceCode.findByUserCode(normalized(userCode));
    const isOpen = code !== undefined && code.error === undefined && code.accountId === undefined;
    if (!isOpen) throw new CallError('notFound');
    await deps.attempts.refund(attemptId);
    return code;
  };
  return {
    'oauth/device/get': async ({ input, principal, origin }) => {
      const provider = await deps.providers.at(origin);
      const code = await find(provider, principal.userId, input.userCode);
      const app = await usableApp(deps.database, code.clientId ?? '', principal.userId);
      const { address, agent } = deviceInfoOf(code);
      return questionOf(app, { asked: askedOf(code), address, agent: browserName(agent) });
    },
    'oauth/device/confirm': async ({ input, principal, rights, origin, now, audit }) => {
      const provider = await deps.providers.at(origin);
      const code = await find(provider, principal.userId, input.userCode);
      audit.object = `appId=${code.clientId}`;
      if (input.isAllowed) {
        const asked = askedOf(code);
        const consent = { provider, asked, appId: code.clientId ?? '', rights: await rights(), choice: input };
        const grantId = await allowApp(deps, consent);
        const authTime = Math.floor(now / 1000);
        Object.assign(code, { accountId: principal.userId, authTime, grantId, scope: asked });
      } else {
        Object.assign(code, { error: 'access_denied', errorDescription: 'the account refused' });
      }
      await code.save();
      return {};
    },
  };
}

/** As the provider stores it. */
function normalized(userCode: string): string {
  return userCode.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function askedOf({ params }: DeviceCode): string {
  const scope = params?.['scope'];
  return typeof scope === 'string' ? scope : '';
}

function deviceInfoOf({ deviceInfo }: DeviceCode): { address: string; agent: string } {
  return { address: String(deviceInfo?.['address'] ?? ''), agent: String(deviceInfo?.['agent'] ?? '') };
}
