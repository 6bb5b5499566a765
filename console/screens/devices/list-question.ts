// What the devices screen asks for, kept in the address: filters, sorting, page, opened device.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

export const SORTS = ['deviceName', 'deviceSerial', 'status', 'latestOnline', 'deviceModel', 'statusSince'] as const;
export type DeviceSort = (typeof SORTS)[number];
export const STATUS_FILTERS = ['all', 'online', 'offline'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

/** Rows a page of the table. */
export const TABLE_PAGE_SIZE = 50;

export interface DeviceListQuery {
  readonly keyWord: string;
  readonly status: StatusFilter;
  /** Empty for all. */
  readonly organizationId: string;
  /** Empty for all. */
  readonly groupId: string;
  readonly sortBy: DeviceSort;
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  /** Serial of the device in the inspector, empty for none. */
  readonly device: string;
  readonly isAdding: boolean;
  readonly isGrouping: boolean;
}

const USUAL: DeviceListQuery = {
  keyWord: '',
  status: 'all',
  organizationId: '',
  groupId: '',
  sortBy: 'deviceName',
  sortOrder: 'asc',
  page: 1,
  device: '',
  isAdding: false,
  isGrouping: false,
};

export function readDeviceListQuery(address: URLSearchParams): DeviceListQuery {
  const page = Number(address.get('page') ?? 1);
  return {
    keyWord: (address.get('q') ?? '').slice(0, 64),
    status: STATUS_FILTERS.find((one) => one === address.get('status')) ?? USUAL.status,
    organizationId: address.get('org') ?? '',
    groupId: address.get('group') ?? '',
    sortBy: SORTS.find((one) => one === address.get('sort')) ?? USUAL.sortBy,
    sortOrder: address.get('order') === 'desc' ? 'desc' : 'asc',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    device: address.get('device') ?? '',
    isAdding: address.get('add') === '1',
    isGrouping: address.get('groups') === '1',
  };
}

/** Only what differs from the usual stands in the address. */
export function writeQuestion(question: DeviceListQuery): URLSearchParams {
  const all: readonly (readonly [string, string, boolean])[] = [
    ['q', question.keyWord, question.keyWord !== ''],
    ['status', question.status, question.status !== USUAL.status],
    ['org', question.organizationId, question.organizationId !== ''],
    ['group', question.groupId, question.groupId !== ''],
    ['sort', question.sortBy, question.sortBy !== USUAL.sortBy],
    ['order', question.sortOrder, question.sortOrder !== USUAL.sortOrder],
    ['page', String(question.page), question.page !== 1],
    ['device', question.device, question.device !== ''],
    ['add', '1', question.isAdding],
    ['groups', '1', question.isGrouping],
  ];
  return new URLSearchParams(all.filter(([, , isWritten]) => isWritten).map(([name, value]) => [name, value]));
}

export function toCall(question: DeviceListQuery): CallInput<'device/list'> {
  const { keyWord, status, organizationId, groupId, sortBy, sortOrder, page } = question;
  return {
    pageNo: page,
    pageSize: TABLE_PAGE_SIZE,
    sortBy,
    sortOrder,
    ...(keyWord.trim() === '' ? {} : { keyWord: keyWord.trim() }),
    ...(status === 'all' ? {} : { status: DEVICE_STATUS[status] }),
    ...(organizationId === '' ? {} : { organizationId }),
    ...(groupId === '' ? {} : { groupId }),
  };
}

export function useListQuestion() {
  const [address, setAddress] = useSearchParams();
  const question = useMemo(() => readDeviceListQuery(address), [address]);
  /** A changed filter starts at page 1 again. */
  const change = (part: Partial<DeviceListQuery>): void => {
    const isFilter = Object.keys(part).some((name) => !['page', 'device', 'isAdding', 'isGrouping'].includes(name));
    setAddress(writeQuestion({ ...question, ...(isFilter ? { page: 1 } : {}), ...part }), { replace: true });
  };
  return { question, change };
}
