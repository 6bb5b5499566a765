// An app of somebody else as the specs of SaaS mode need it: registered by the operator, with a new token for each launch.
import { expect } from 'vitest';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { ApiClient } from '../harness/api-client.ts';
import type { Product } from '../harness/product.ts';

export const BACK_TO_APP = 'https://app.example/callback';

export interface LaunchingApp {
  readonly appId: string;
  /** A token for its owner's devices, which launches once. */
  readonly newToken: (scope?: string) => Promise<string>;
}

export async function newLaunchingApp(
  product: Product,
  owner: ApiClient,
  more: Partial<CallInput<'app/save'>> = {},
): Promise<LaunchingApp> {
  const { app, secret } = await owner.ok('app/save', {
    appName: 'Door bell',
    redirectUriList: [BACK_TO_APP],
    scopeList: ['device.list', 'live', 'ptz'],
    ...more,
  });
  const { appId } = app;
  const newToken = async (scope = 'device.list live'): Promise<string> => {
    const answer = await fetch(`${product.url}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  return { appId, newToken };
}
