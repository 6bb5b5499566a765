// An app as oidc-provider knows it: metadata of a client (RFC 7591), which no request can change.
import type { AdapterPayload } from 'oidc-provider';
import type { AppWithOwner } from '../../database/app/app.queries.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export function clientMetadata(app: AppWithOwner): AdapterPayload {
  const hasRedirect = app.redirect_uris.length > 0;
  return {
    client_id: app.app_id,
    client_name: app.app_name,
    redirect_uris: app.redirect_uris,
    response_types: hasRedirect ? ['code'] : [],
    grant_types: [
      ...(hasRedirect ? ['authorization_code'] : []),
      'refresh_token',
      DEVICE_GRANT,
      ...(app.is_public ? [] : ['client_credentials']),
    ],
    scope: app.scopes.join(' '),
    // A native app: its addresses on the user's own machine work on every port (RFC 8252 7.3).
    application_type: app.is_public ? 'native' : 'web',
    // The secret itself is known to nobody but the app; what is sent is compared with the stored hashes.
    ...(app.is_public
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: app.secret_hash?.toString('hex') ?? '' }),
  };
}
