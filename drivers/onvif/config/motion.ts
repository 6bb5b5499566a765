// Section `motion`: the cell motion detector, enabled while its rule exists (ONVIF Analytics B.3).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  createRules,
  deleteRules,
  getAnalyticsModules,
  getRules,
  modifyAnalyticsModules,
  modifyRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import { readCellBits, writeCellBits } from '@vedette/protocols/onvif/cell-bits.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { analyticsOf, type Item, itemOf, withItems } from './analytics-rules.ts';
import { changedOnly, pick, type SectionSource } from './section-source.ts';

type Value = SectionValue<'motion'>;

const RULE = 'tt:CellMotionDetector';
const NEW_RULE = 'MotionDetector';
const MOST_SENSITIVE = 100;
/** Parameters of our rule beside its cells: few cells, immediately, and a second of quiet; times in ms. */
const usualItems = [
  ['MinCount', '5'],
  ['AlarmOnDelay', '100'],
  ['AlarmOffDelay', '1000'],
] as const;

export function motionSection(source: SectionSource): ConfigSection<'motion'> {
  const { session } = source;
  const read = async (signal?: AbortSignal) => {
    const ConfigurationToken = await analyticsOf(source, signal);
    const [{ Rule }, { AnalyticsModule }] = await Promise.all([
      session.call(getRules, { ConfigurationToken }, signal),
      session.call(getAnalyticsModules, { ConfigurationToken }, signal),
    ]);
    const engine = AnalyticsModule.find(({ Type }) => Type.endsWith('CellMotionEngine'));
    if (engine === undefined) throw new DeviceFault('not-supported', 'the device detects no motion by cells');
    const rule = Rule.find(({ Type }) => Type.endsWith('CellMotionDetector'));
    return { ConfigurationToken, rule, engine };
  };
  return {
    read: async (signal) => {
      const { rule, engine } = await read(signal);
      return readingOf(rule, engine);
    },
    write: async (next, before, signal) => {
      const { ConfigurationToken, rule, engine } = await read(signal);
      const change = changedOnly(next, before.value);
      const whole = { ...before.value, ...next };
      if (change.sensitivity !== undefined) {
        const AnalyticsModule = [withItems(engine, { Sensitivity: String(Math.round(change.sensitivity)) })];
        await session.call(modifyAnalyticsModules, { ConfigurationToken, AnalyticsModule }, signal);
      }
      const cells = writeCellBits(whole.cells?.cells ?? '');
      if (whole.on !== true) {
        if (rule !== undefined) await session.call(deleteRules, { ConfigurationToken, RuleName: [rule.Name] }, signal);
      } else if (rule === undefined) {
        await session.call(createRules, { ConfigurationToken, Rule: [newRule(cells)] }, signal);
      } else if (change.cells !== undefined) {
        const Rule = [withItems(rule, { ActiveCells: cells })];
        await session.call(modifyRules, { ConfigurationToken, Rule }, signal);
      }
    },
  };
}

export function readingOf(rule: Item | undefined, engine: Item): SectionReading<'motion'> {
  const layout = engine.Parameters.ElementItem.find(({ CellLayout }) => CellLayout !== undefined)?.CellLayout;
  if (layout === undefined)
    throw new DeviceFault('device', 'the motion detector has no layout', { fault: 'no layout' });
  const { Columns: columns, Rows: rows } = layout;
  const sensitivity = Number(itemOf(engine, 'Sensitivity'));
  // Without a rule its last cells are unknown: assume the whole frame.
  const cells = readCellBits(itemOf(rule, 'ActiveCells') ?? '', columns * rows) ?? '1'.repeat(columns * rows);
  return {
    value: pick<Value>({
      on: rule !== undefined,
      sensitivity: Number.isFinite(sensitivity) ? sensitivity : undefined,
      cells: { columns, rows, cells },
    }),
    capabilities: pick<SectionReading<'motion'>['capabilities']>({
      on: {},
      sensitivity: Number.isFinite(sensitivity) ? { min: 0, max: MOST_SENSITIVE } : undefined,
      cells: { columns, rows },
    }),
  };
}

function newRule(cells: string): Item {
  const SimpleItem = [...usualItems, ['ActiveCells', cells] as const].map(([Name, Value]) => ({ Name, Value }));
  return { Name: NEW_RULE, Type: RULE, Parameters: { SimpleItem, ElementItem: [] } };
}
