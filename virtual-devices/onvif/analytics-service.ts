// Analytics service of a virtual device: the cell motion detector of each channel and its other rules (ONVIF Analytics 5).

import {
  createRules,
  deleteRules,
  getAnalyticsModules,
  getRuleOptions,
  getRules,
  getSupportedRules,
  modifyAnalyticsModules,
  modifyRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import { readCellBits, writeCellBits } from '@vedette/protocols/onvif/cell-bits.ts';
import { type ChannelSettings, MOTION_COLUMNS, MOTION_ROWS } from '../device/channel-settings.ts';
import type { SceneRuleKind } from '../device/scene-rules.ts';
import { analyticsToken } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';
import { describeRules, type Item, itemOf, ruleOf, ruleOptions, textOf } from './rule-items.ts';

const MOTION_RULE = 'MotionDetector';
const MOTION_KIND = 'tt:CellMotionDetector';
const CELLS = MOTION_COLUMNS * MOTION_ROWS;

interface Place {
  readonly settings: ChannelSettings;
  readonly lacks: readonly SceneRuleKind[];
}

export function analyticsHandlers(device: OnvifDevice): OperationHandler[] {
  const of = (token: string): Place => {
    const index = device.plan.channels.findIndex((_, at) => analyticsToken(at + 1) === token);
    if (index < 0) throw invalidArgument('ter:NoConfig', 'The requested configuration does not exist');
    // Makers that have an interface of their own keep objects to it.
    const lacks: SceneRuleKind[] = device.plan.vendor === undefined ? [] : ['ObjectDetection', 'ObjectTrack'];
    if (device.ptzOf(index + 1) === null) lacks.push('ObjectTrack');
    return { settings: device.settingsOf(index + 1), lacks };
  };
  return [
    answer(getSupportedRules, ({ ConfigurationToken }) => {
      const cells = { Name: MOTION_KIND, maxInstances: 1 };
      return { SupportedRules: { RuleDescription: [cells, ...describeRules(of(ConfigurationToken).lacks)] } };
    }),
    answer(getRuleOptions, ({ ConfigurationToken, RuleType }) => ({
      RuleOptions: ruleOptions(of(ConfigurationToken).lacks).filter(
        (option) => RuleType === undefined || option.RuleType === RuleType,
      ),
    })),
    answer(getRules, ({ ConfigurationToken }) => {
      const { settings } = of(ConfigurationToken);
      return { Rule: [...motionRules(settings), ...settings.rules.map(itemOf)] };
    }),
    answer(createRules, ({ ConfigurationToken, Rule }) => {
      for (const item of Rule) put(of(ConfigurationToken), item, true);
      return {};
    }),
    answer(modifyRules, ({ ConfigurationToken, Rule }) => {
      for (const item of Rule) put(of(ConfigurationToken), item, false);
      return {};
    }),
    answer(deleteRules, ({ ConfigurationToken, RuleName }) => {
      for (const name of RuleName) remove(of(ConfigurationToken).settings, name);
      return {};
    }),
    answer(getAnalyticsModules, ({ ConfigurationToken }) => ({
      AnalyticsModule: [engineOf(of(ConfigurationToken).settings)],
    })),
    answer(modifyAnalyticsModules, ({ ConfigurationToken, AnalyticsModule }) => {
      const { settings } = of(ConfigurationToken);
      const sensitivity = Number(textOf(AnalyticsModule[0], 'Sensitivity'));
      if (!(sensitivity >= 0 && sensitivity <= 100)) {
        throw invalidArgument('ter:InvalidModule', 'The module is not valid');
      }
      settings.motion = { ...settings.motion, sensitivity };
      return {};
    }),
  ];
}

function put({ settings, lacks }: Place, item: Item, isNew: boolean): void {
  if (item.Type.endsWith('CellMotionDetector')) {
    const cells = readCellBits(textOf(item, 'ActiveCells') ?? '', CELLS);
    if (cells === null) throw invalidArgument('ter:InvalidRule', 'The rule is not valid');
    settings.motion = { ...settings.motion, isOn: true, cells };
    return;
  }
  const isKnown = settings.rules.some(({ name }) => name === item.Name);
  if (isKnown === isNew) {
    throw isNew ? invalidArgument('ter:RuleExistent', 'The rule exists') : noRule();
  }
  const others = settings.rules.filter(({ name }) => name !== item.Name);
  const rule = ruleOf(item, others, lacks);
  settings.rules = isNew
    ? [...settings.rules, rule]
    : settings.rules.map((one) => (one.name === rule.name ? rule : one));
}

function remove(settings: ChannelSettings, name: string): void {
  if (name === MOTION_RULE && settings.motion.isOn) {
    settings.motion = { ...settings.motion, isOn: false };
    return;
  }
  const rest = settings.rules.filter((rule) => rule.name !== name);
  if (rest.length === settings.rules.length) throw noRule();
  settings.rules = rest;
}

function noRule() {
  return invalidArgument('ter:RuleNotExistent', 'The rule does not exist');
}

function motionRules({ motion }: ChannelSettings): Item[] {
  if (!motion.isOn) return [];
  const items = { MinCount: '5', AlarmOnDelay: '100', AlarmOffDelay: '1000', ActiveCells: writeCellBits(motion.cells) };
  return [{ Name: MOTION_RULE, Type: MOTION_KIND, Parameters: { ...simple(items), ElementItem: [] } }];
}

function engineOf({ motion }: ChannelSettings): Item {
  const scale = { x: 2 / MOTION_COLUMNS, y: 2 / MOTION_ROWS };
  const Transformation = { Translate: { x: -1, y: -1 }, Scale: scale };
  const CellLayout = { Columns: MOTION_COLUMNS, Rows: MOTION_ROWS, Transformation };
  const Parameters = {
    ...simple({ Sensitivity: String(motion.sensitivity) }),
    ElementItem: [{ Name: 'Layout', CellLayout }],
  };
  return { Name: 'MotionEngine', Type: 'tt:CellMotionEngine', Parameters };
}

function simple(items: Readonly<Record<string, string>>) {
  return { SimpleItem: Object.entries(items).map(([Name, Value]) => ({ Name, Value })) };
}
