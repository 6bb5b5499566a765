// Analytics service of a virtual device: the cell motion detector of each channel (ONVIF Analytics 5, B.3).

import {
  type analyticsItem,
  createRules,
  deleteRules,
  getAnalyticsModules,
  getRules,
  modifyAnalyticsModules,
  modifyRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import { readCellBits, writeCellBits } from '@vedette/protocols/onvif/cell-bits.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import { type ChannelSettings, MOTION_COLUMNS, MOTION_ROWS } from '../device/channel-settings.ts';
import { analyticsToken } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

type Item = TypeOf<typeof analyticsItem>;

const RULE_NAME = 'MotionDetector';
const CELLS = MOTION_COLUMNS * MOTION_ROWS;

export function analyticsHandlers(device: OnvifDevice): OperationHandler[] {
  const of = (token: string): ChannelSettings => {
    const index = device.plan.channels.findIndex((_, at) => analyticsToken(at + 1) === token);
    if (index < 0) throw invalidArgument('ter:NoConfig', 'The requested configuration does not exist');
    return device.settingsOf(index + 1);
  };
  const put = ({ ConfigurationToken, Rule }: { ConfigurationToken: string; Rule: readonly Item[] }) => {
    const settings = of(ConfigurationToken);
    const cells = readCellBits(itemOf(Rule[0], 'ActiveCells') ?? '', CELLS);
    if (cells === null) throw invalidArgument('ter:InvalidRule', 'The rule is not valid');
    settings.motion = { ...settings.motion, isOn: true, cells };
    return {};
  };
  return [
    answer(getRules, ({ ConfigurationToken }) => ({ Rule: rulesOf(of(ConfigurationToken)) })),
    answer(createRules, put),
    answer(modifyRules, put),
    answer(deleteRules, ({ ConfigurationToken, RuleName }) => {
      const settings = of(ConfigurationToken);
      if (!settings.motion.isOn || RuleName[0] !== RULE_NAME) {
        throw invalidArgument('ter:RuleNotExistent', 'The rule does not exist');
      }
      settings.motion = { ...settings.motion, isOn: false };
      return {};
    }),
    answer(getAnalyticsModules, ({ ConfigurationToken }) => ({ AnalyticsModule: [engineOf(of(ConfigurationToken))] })),
    answer(modifyAnalyticsModules, ({ ConfigurationToken, AnalyticsModule }) => {
      const settings = of(ConfigurationToken);
      const sensitivity = Number(itemOf(AnalyticsModule[0], 'Sensitivity'));
      if (!(sensitivity >= 0 && sensitivity <= 100)) {
        throw invalidArgument('ter:InvalidModule', 'The module is not valid');
      }
      settings.motion = { ...settings.motion, sensitivity };
      return {};
    }),
  ];
}

function rulesOf({ motion }: ChannelSettings): Item[] {
  if (!motion.isOn) return [];
  const items = { MinCount: '5', AlarmOnDelay: '100', AlarmOffDelay: '1000', ActiveCells: writeCellBits(motion.cells) };
  return [{ Name: RULE_NAME, Type: 'tt:CellMotionDetector', Parameters: { ...simple(items), ElementItem: [] } }];
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

function itemOf(item: Item | undefined, name: string): string | undefined {
  return item?.Parameters.SimpleItem.find(({ Name }) => Name === name)?.Value;
}
