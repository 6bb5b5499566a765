// Which pages a right opens, and which stay for user types alone.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { PERMISSION_PAGES, PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { describe, expect, it } from 'vitest';
import { files } from '../features/manual/english-files.ts';
import { readManual } from '../features/manual/manual.ts';
import { DEVICE_CONFIG_ROW, leadsSomewhere, LIVE_WINDOW_ROW, PERSONAL_ROW, SCREEN_ROWS } from './screen-rows.ts';
import { isForUser } from '../features/account/row-viewer.ts';

/** Of a sub-account with these rights, by the last word of their addresses. */
function pagesWith(permissions: readonly Permission[]): string[] {
  const flags = Object.fromEntries(PERMISSIONS.map((one) => [one, permissions.includes(one)]));
  const rows = SCREEN_ROWS.filter(
    (row) =>
      isForUser(row, { isSignedIn: true, userType: USER_TYPE.sub, saasScopes: null }) &&
      leadsSomewhere(row, flags as Readonly<Record<Permission, boolean>>),
  );
  return rows.map(({ path }) => path.split('/').at(-1) ?? '');
}

describe('[PM-02] pages by rights', () => {
  const open = [
    'liveVideo',
    'container',
    'floorPlans',
    'edgeIntelligence',
    'myShareContainer',
    'stasticContainer',
    'resourceManage',
  ];
  it('without any right lead to no page of management and not to alarms', () => {
    expect(pagesWith([])).toEqual(open);
  });
  const byItself: readonly (readonly [Permission, string | null])[] = [
    ['DeviceManage', 'deviceManage'],
    ['Config', 'deviceManage'],
    ['OrganizationManage', 'orgManage'],
    ['AlarmPush', 'alarmMsg'],
    ['Realplay', null],
    ['Replay', null],
    ['PtzControl', null],
    ['Talk', null],
  ];
  it.each(byItself)('%s opens its page and no other', (permission, page) => {
    const pages = pagesWith([permission]);
    expect(pages).toContain(PERMISSION_PAGES[permission]);
    expect(pages.filter((one) => !open.includes(one))).toEqual(page === null ? [] : [page]);
  });
  it('all rights together open neither permissions nor the system to a sub-account', () => {
    expect(pagesWith(PERMISSIONS)).toEqual(expect.not.arrayContaining(['permissionConfig', 'system']));
  });
});

describe('help', () => {
  const { pages } = readManual(files);
  const rows = [...SCREEN_ROWS, LIVE_WINDOW_ROW, DEVICE_CONFIG_ROW, PERSONAL_ROW];
  it.each(
    rows.map(({ path, help }) => [path, help] as const),
  )('of %s leads to pages and headings that exist', (_, help) => {
    const places = [help, ...Object.values(help.byParameter?.places ?? {})];
    const dead = places.filter(({ page, heading }) => {
      const blocks = pages.get(page)?.blocks;
      return !blocks || (heading !== undefined && !blocks.some((one) => one.kind === 'heading' && one.id === heading));
    });
    expect(dead).toEqual([]);
  });
});
