// The server configuration that every console reads at start-up (EN-08).
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';
import type { ServerConfig } from '@vedette/contract/entities.ts';

/** apiURL is relative: the console talks to the host it came from. */
export function serverConfig({ captcha, environment }: Pick<AccountConfig, 'captcha' | 'environment'>): ServerConfig {
  return {
    isOverseasFlag: environment.isOverseas,
    isNoBrandFlag: environment.isNoBrand,
    isCaptcha: captcha.kind !== 'none',
    captchaAppId: captcha.kind === 'outside' ? captcha.appId : '',
    // Empty: our own check, which needs no script of others.
    captchaPath: captcha.kind === 'outside' ? captcha.scriptUrl : '',
    apiURL: '/api/v1/',
    oldWebsite: environment.oldWebsite,
    centerServer: environment.centerServer,
  };
}
