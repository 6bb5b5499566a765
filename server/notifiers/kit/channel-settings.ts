// Reads the settings of a channel by the fields of its kind, and keeps the secret ones apart.
import {
  ALARM_CHANNELS,
  type AlarmChannelKind,
  type AlarmChannelRow,
  type ChannelField,
} from '@vedette/contract/alarm-channels.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { fieldError } from '../../core/call-error.ts';

export interface GivenSettings {
  readonly kind: AlarmChannelKind;
  readonly settings: Readonly<Record<string, string>>;
}

export interface ReadSettings {
  readonly open: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** By the table of the kind; throws 1003 for what it does not know, lacks, or cannot read. */
export function readSettings({ kind, settings }: GivenSettings, kept: Readonly<Record<string, string>>): ReadSettings {
  const { fields }: AlarmChannelRow = ALARM_CHANNELS[kind];
  const open: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const name of Object.keys(settings)) {
    if (!fields.some((one) => one.name === name)) problems[`settings.${name}`] = 'notAllowed';
  }
  for (const field of fields) {
    const { name, isSecret } = field;
    const value = (settings[name] ?? (isSecret ? kept[name] : undefined) ?? '').trim();
    const problem = problemOf(kind, field, value);
    if (problem !== null) problems[`settings.${name}`] = problem;
    else if (value !== '') (isSecret ? secrets : open)[name] = value;
  }
  if (Object.keys(problems).length > 0) throw fieldError(problems);
  return { open, secrets };
}

function problemOf(kind: AlarmChannelKind, { format, isRequired }: ChannelField, value: string): FieldProblem | null {
  if (value === '') return isRequired ? 'required' : null;
  return isReadable(kind, format, value) ? null : 'format';
}

const MOST_MAILS = 20;

function isReadable(kind: AlarmChannelKind, format: ChannelField['format'], value: string): boolean {
  if (format === 'flag') return value === '1';
  if (format === 'text') return !/[\r\n]/.test(value);
  if (format === 'mails') {
    const all = value.split(/[,;\s]+/).filter((one) => one !== '');
    return all.length <= MOST_MAILS && all.every((one) => /^[^\s@<>"']+@[^\s@<>"']+$/.test(one));
  }
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  const { schemes }: AlarmChannelRow = ALARM_CHANNELS[kind];
  return schemes.includes(protocol) && username === '' && password === '';
}
