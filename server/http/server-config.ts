// The server configuration that every console reads at start-up (EN-08).
import type { ServerConfig } from '@vedette/contract/entities.ts';

/** apiURL is relative: the console talks to the host it came from. */
export function serverConfig(): ServerConfig {
  return {
    isOverseasFlag: true,
    isNoBrandFlag: false,
    isCaptcha: false,
    captchaAppId: '',
    captchaPath: '',
    apiURL: '/api/v1/',
    oldWebsite: '',
    centerServer: '',
  };
}
