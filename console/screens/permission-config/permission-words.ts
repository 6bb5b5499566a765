// The names of rights, kinds of accounts and audited calls in the language of the page.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';

export const PERMISSION_WORDS: Readonly<Record<Permission, PlainKey>> = {
  DeviceManage: 'right.DeviceManage',
  OrganizationManage: 'right.OrganizationManage',
  Realplay: 'right.Realplay',
  Replay: 'right.Replay',
  PtzControl: 'right.PtzControl',
  Talk: 'right.Talk',
  AlarmPush: 'right.AlarmPush',
  Config: 'right.Config',
  Export: 'right.Export',
  RecordConfig: 'right.RecordConfig',
  Reshare: 'right.Reshare',
};

/** As the columns stand: watching first, managing last. Sub-accounts share nothing, so no role gives Reshare. */
export const PERMISSION_ORDER: readonly Permission[] = [
  'Realplay',
  'Replay',
  'Export',
  'PtzControl',
  'Talk',
  'AlarmPush',
  'Config',
  'RecordConfig',
  'DeviceManage',
  'OrganizationManage',
];

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

export const TYPE_WORDS: Readonly<Record<number, PlainKey>> = {
  [USER_TYPE.super]: 'role.super',
  [USER_TYPE.manage]: 'role.manage',
  [USER_TYPE.ordinary]: 'role.ordinary',
  [USER_TYPE.background]: 'role.background',
  [USER_TYPE.sub]: 'role.sub',
};
