// Ready-made roles: rights that belong together, under the names that the field uses.
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';

export const ROLE_TEMPLATES = {
  viewer: ['Realplay'],
  guard: ['Realplay', 'Replay', 'PtzControl', 'Talk', 'AlarmPush'],
  investigator: ['Realplay', 'Replay', 'Export', 'AlarmPush'],
  installer: ['Realplay', 'PtzControl', 'Config', 'RecordConfig', 'DeviceManage'],
  // Sub-accounts share nothing, so no role gives Reshare.
  administrator: PERMISSIONS.filter((permission) => permission !== 'Reshare'),
} as const satisfies Record<string, readonly Permission[]>;

export type RoleTemplate = keyof typeof ROLE_TEMPLATES;
export const ROLE_TEMPLATE_NAMES = Object.keys(ROLE_TEMPLATES) as RoleTemplate[];

/** The ready-made role with exactly these rights; null: the choice is one's own. */
export function templateOf(permissions: readonly Permission[]): RoleTemplate | null {
  const wanted = new Set(permissions);
  const same = ROLE_TEMPLATE_NAMES.find((name) => {
    const rights: readonly Permission[] = ROLE_TEMPLATES[name];
    return rights.length === wanted.size && rights.every((right) => wanted.has(right));
  });
  return same ?? null;
}
