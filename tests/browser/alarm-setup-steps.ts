// Steps of the alarm spec on the screens that set alarms up: rules, notification channels and keys of programs.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ALARM_CHANNELS } from '@vedette/contract/alarm-channels.ts';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { ApiClient } from '../harness/api-client.ts';
import type { WatchedPage } from '../harness/browser.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems } from './signed-in.ts';

const { words } = LANGUAGES[0];

/** Adds a notification channel of kind webhook from the page of channels. */
export async function addWebhook(page: Page, name: string, url: string): Promise<void> {
  await page.getByRole('button', { name: words['alarmChannels.add'] }).first().click();
  const form = page.getByRole('complementary', { name: words['alarmChannels.new'] });
  await choose(page, words['alarmChannels.kind'], ALARM_CHANNELS.webhook.name);
  await form.getByLabel(words['alarmRules.name'], { exact: true }).fill(name);
  await form.getByLabel(words.channelField_url, { exact: true }).fill(url);
  await form.getByRole('button', { name: words['alarmRules.save'] }).click();
}

/** By the form, for one type, notified by the channel of the guard house. */
export async function makeRule(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByText(words['alarms.viewRules'], { exact: true }).click();
  await page.getByRole('button', { name: words['alarmRules.add'] }).first().click();
  const rule = page.getByRole('complementary', { name: words['alarmRules.new'] });
  await rule.getByLabel(words['alarmRules.name'], { exact: true }).fill('Nights');
  await choose(page, words['alarmRules.addKind'], words.alarmType_ScreamDetect);
  await rule.getByRole('button', { name: words['alarmRules.action_notify'] }).click();
  await rule.getByRole('checkbox', { name: 'Guard house' }).check();
  await rule.getByText(words['alarmRules.byPlan'], { exact: true }).click();
  await expectNoProblems(watched, 'alarms-rule');
  await rule.getByText(words['alarmRules.always'], { exact: true }).click();
  await rule.getByRole('button', { name: words['alarmRules.save'] }).click();
  await page.locator('[data-rule="Nights"]').waitFor();
  await expectNoProblems(watched, 'alarms-rules');
}

/** Acts on each alarm of the type. */
export async function quickRule(operator: ApiClient, type: RaisedAlarmType): Promise<string> {
  const { rule } = await operator.ok('alarm/rule/save', {
    name: 'Each one',
    isEnabled: true,
    types: [type],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'snapshot' }],
  });
  return rule.ruleId;
}

/** From the flood that is open to the rule that acts on it, and to the section that detects it; each has a calmer value. */
export async function tuneBurst(
  watched: WatchedPage,
  operator: ApiClient,
  { rule, serial }: { readonly rule: string; readonly serial: string },
): Promise<void> {
  const { page } = watched;
  const inbox = page.url();
  await page.locator('[data-flood-rule="Each one"]').getByRole('link', { name: words['alarms.tuneRule'] }).click();
  const form = page.getByRole('complementary', { name: words['alarmRules.edit'] });
  await form.getByRole('button', { name: words['alarmRules.floodTake'] }).click();
  await expectNoProblems(watched, 'alarms-tune-rule');
  await form.getByRole('button', { name: words['alarmRules.save'] }).click();
  await form.waitFor({ state: 'detached' });
  const { ruleList } = await operator.ok('alarm/rule/list', {});
  expect(ruleList.find(({ ruleId }) => ruleId === rule)?.pauseS).toBe(300);
  await page.goto(inbox);
  await page.getByRole('button', { name: words['alarms.tune'] }).click();
  const before = await operator.ok('config/get', { deviceSerial: serial, channelNo: 1, section: 'motion' });
  await page.getByRole('button', { name: words['config.floodTake'] }).click();
  await expectNoProblems(watched, 'alarms-tune-section');
  await page.getByRole('button', { name: words['common.save'] }).click();
  await page.getByText(words['config.saved']).waitFor();
  const after = await operator.ok('config/get', { deviceSerial: serial, channelNo: 1, section: 'motion' });
  const [was = 0, is = 0] = [before, after].map(({ value }) => (value as { sensitivity?: number }).sensitivity);
  expect(is).toBeLessThan(was);
}

/** For a program, on the screen of sources; Frigate stands below it. */
export async function makeKey(watched: WatchedPage): Promise<string> {
  const { page } = watched;
  const keys = page.getByRole('region', { name: words['alarmSources.keys'] });
  await keys.getByLabel(words['alarmSources.program'], { exact: true }).fill('Gate software');
  await keys.getByRole('button', { name: words['alarmSources.makeKey'] }).click();
  const shown = page.getByRole('dialog', { name: words['alarmSources.keyMade'] });
  const token = await shown.locator('[data-token]').textContent();
  await expectNoProblems(watched, 'alarms-key');
  await shown.getByRole('button', { name: words['alarmSources.keyKept'] }).click();
  await keys.locator('[data-ingest-key="Gate software"]').first().waitFor();
  const frigate = page.getByRole('region', { name: words['alarmSources.frigate'] });
  await frigate.locator('[data-mqtt="off"]').waitFor();
  await frigate.getByRole('button', { name: words['alarmSources.addCamera'] }).click();
  await expectNoProblems(watched, 'alarms-sources');
  return token ?? '';
}

export async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
