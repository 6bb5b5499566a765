// Ready-made roles: each is told apart by its rights, and none gives what a role cannot.
import { expect, it } from 'vitest';
import { ROLE_TEMPLATE_NAMES, ROLE_TEMPLATES, templateOf } from './role-templates.ts';

it('recognises each ready-made role by its rights in any order, and no other choice', () => {
  for (const name of ROLE_TEMPLATE_NAMES) expect(templateOf([...ROLE_TEMPLATES[name]].reverse())).toBe(name);
  expect(templateOf(['Realplay', 'Talk'])).toBeNull();
  expect(templateOf([])).toBeNull();
});

it('lets nobody but the administrator manage organisations, and nobody share on', () => {
  const holders = (right: string) =>
    ROLE_TEMPLATE_NAMES.filter((name) => (ROLE_TEMPLATES[name] as readonly string[]).includes(right));
  expect(holders('OrganizationManage')).toEqual(['administrator']);
  expect(holders('Export')).toEqual(['investigator', 'administrator']);
  expect(holders('Reshare')).toEqual([]);
});
