// Tests of the route table: one table for both modes, the guard in its loaders.
// @vitest-environment happy-dom
import { type LoaderFunction, matchRoutes, type RouteObject } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleMode } from '../services/services.ts';
import { forgetAuth, rememberAuth } from '../session/auth-store.ts';
import { table } from './routes.tsx';

function paths(routes: readonly RouteObject[]): string[] {
  return routes.flatMap((route) => [...(route.path === undefined ? [] : [route.path]), ...paths(route.children ?? [])]);
}

/** Where a path leads: its last route's loader decides. */
async function leadsTo(mode: ConsoleMode, address: string): Promise<string | null> {
  const matches = matchRoutes(table(mode), address.replace(/\?.*/, '')) ?? [];
  const loader = matches.at(-1)?.route.loader as LoaderFunction | undefined;
  if (loader === undefined) return null;
  const request = new Request(`http://localhost${address}`);
  const answer = await loader({ request, params: {}, context: {} } as unknown as Parameters<LoaderFunction>[0]);
  return answer instanceof Response ? answer.headers.get('location') : null;
}

beforeEach(() => forgetAuth(false));

describe('[RT-01] one route table', () => {
  it('holds the same addresses in web and in client mode', () => {
    expect(paths(table('web'))).toEqual(paths(table('client')));
  });
});

describe('[RT-02] the ends of the table', () => {
  it('redirects / to /login', async () => {
    expect(await leadsTo('web', '/')).toBe('/login');
  });
  it.each(['/nowhere', '/homepage/nowhere', '/homepage/liveVideo/deeper'])('%s is not found', (address) => {
    expect(matchRoutes(table('web'), address)?.at(-1)?.route.path).toBe('*');
  });
});

describe('[RT-05] the shell', () => {
  const leaf = (name: string) => matchRoutes(table('web'), `/homepage/${name}`) ?? [];
  it.each([
    'liveVideo',
    'container',
    'deviceManage',
    'alarmMsg',
    'personalContainer',
    'myShareContainer',
    'orgManage',
    'permissionConfig',
    'stasticContainer',
    'resourceManage',
    'costCenter',
  ])('%s is a child of /homepage', (name) => {
    expect(leaf(name).map(({ route }) => route.path)).toContain('/homepage');
    expect(leaf(name).at(-1)?.route.path).toBe(`/homepage/${name}`);
  });
});

describe('[RT-06] the workspace', () => {
  it('shows every other screen of the shell as a tab, under its own guard', async () => {
    forgetAuth(false);
    const opened = (matchRoutes(table('web'), '/homepage/container/deviceManage') ?? []).map(({ route }) => route.path);
    expect(opened.slice(-2)).toEqual(['/homepage/container', '/homepage/container/deviceManage']);
    expect(await leadsTo('web', '/homepage/container/deviceManage')).toMatch(/^\/login/);
    expect(await leadsTo('web', '/homepage/container/liveVideo')).toBeNull();
  });
  it.each(['container/container', 'container/nowhere'])('%s is none', (name) => {
    expect(matchRoutes(table('web'), `/homepage/${name}`)?.at(-1)?.route.path).toBe('*');
  });
});

describe('[RT-08][RT-09] the guard in the loaders', () => {
  const asked = '/homepage/deviceManage?status=online';
  it('redirects to sign-in and keeps the target with its query', async () => {
    const login = (await leadsTo('web', asked)) ?? '';
    expect(new URL(login, 'http://localhost').searchParams.get('from')).toBe(asked);
  });
  it('opens liveVideo, container and alarmMsg without a token in web mode alone', async () => {
    for (const name of ['liveVideo', 'container', 'alarmMsg']) {
      expect(await leadsTo('web', `/homepage/${name}`)).toBeNull();
      expect(await leadsTo('client', `/homepage/${name}`)).toMatch(/^\/login/);
    }
  });
  it('opens everything with a token', async () => {
    rememberAuth({ accessToken: 'T', expireTime: 0, serverAddress: '', userId: '', userName: '', userType: 0 });
    expect(await leadsTo('client', asked)).toBeNull();
    expect(await leadsTo('web', '/homepage/system')).toBeNull();
  });
});
