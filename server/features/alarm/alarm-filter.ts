// Converts the alarm filter of a call to that of the queries.
import { ALARM_SEVERITIES, RAISED_ALARM_TYPE_NAMES, RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import type { AlarmFilter } from '../../database/alarm/alarm-read.queries.ts';
import type { Database } from '../../database/connection.ts';

type Asked = Omit<CallParsed<'alarm/list'>, 'cursor' | 'pageSize'>;

export function alarmFilter(input: Asked): AlarmFilter {
  const { types, groups, devices, organizationId, state, severity, isActive, startTime, endTime } = input;
  const ofGroups = groups && RAISED_ALARM_TYPE_NAMES.filter((type) => groups.includes(RAISED_ALARM_TYPES[type].group));
  const wanted = types && ofGroups ? types.filter((type) => ofGroups.includes(type)) : (types ?? ofGroups);
  const severities = severity?.map((one) => ALARM_SEVERITIES.indexOf(one));
  return { types: wanted, devices, organizationId, state, severities, isActive, startTime, endTime };
}

/** Throws 1007 or 1004 where the filter names an organisation that the caller may not see. */
export async function refuseForeignScope(database: Database, rights: Rights, input: Asked): Promise<void> {
  const { organizationId } = input;
  if (organizationId === undefined || organizationId === '0') return;
  await authorizeOrganization(database, rights, null, organizationId);
}
