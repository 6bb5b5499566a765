// deviceManage: organisations left, devices in the middle, the device or the wizard in the inspector.
import { IconCpu, IconDeviceCctv, IconDownload, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { saveText } from '../../browser/save-text.ts';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { usePermissionFlags } from '../../features/account/use-permission-flags.ts';
import { AddDevice } from '../../features/add-device/add-device.tsx';
import { DeviceInspector } from '../../features/device-inspector/device-inspector.tsx';
import { FirmwareDialog } from '../../features/firmware/firmware-dialog.tsx';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { ROOT_ORGANIZATION, useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { organizationKey } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import layout from '../../ui/layout/side-layout.module.css';
import { BatchBar } from './batch-bar.tsx';
import { DeviceMenu } from './device-menu.tsx';
import { DeviceTable } from './device-table.tsx';
import { DeviceToolbar } from './device-toolbar.tsx';
import style from './devices-screen.module.css';
import { type DeviceListQuery, TABLE_PAGE_SIZE, toCall, useListQuestion } from './list-question.ts';
import { useChosenDevices } from './use-chosen-devices.ts';

const SKELETON_ROWS = 14;

function useDeviceList(question: DeviceListQuery) {
  const { caller, mode } = useServices();
  const input = toCall(question);
  const query = useQuery({
    queryKey: ['device/list', input],
    queryFn: ({ signal }) => caller.ask('device/list', input, { signal, showError: false }),
    placeholderData: keepPreviousData,
  });
  const devices = useMemo(() => {
    const list = query.data?.deviceList ?? [];
    // PM-05: hidden from lists in web mode.
    return mode === 'web' ? list.filter(({ deviceType }) => !WEB_HIDDEN_DEVICE_TYPES.includes(deviceType)) : list;
  }, [query.data, mode]);
  return { query, devices };
}

function useExportList(organizationId: string) {
  const t = useT();
  const { caller } = useServices();
  return async (): Promise<void> => {
    try {
      const { name, csv } = await caller.ask('device/export', organizationId === '' ? {} : { organizationId });
      saveText(name, csv);
    } catch (failure) {
      if (failure instanceof NetworkFailure) showToast('error', failureText(t, failure));
      // Whatever the server refused has been shown already.
    }
  };
}

function isFiltered({ keyWord, status, organizationId, groupId }: DeviceListQuery): boolean {
  return keyWord !== '' || status !== 'all' || organizationId !== '' || groupId !== '';
}

interface WorkProps {
  readonly question: DeviceListQuery;
  readonly change: (part: Partial<DeviceListQuery>) => void;
  readonly canAdd: boolean;
  readonly list: ReturnType<typeof useDeviceList>;
  /** Keys of the rows that are ticked. */
  readonly ticked: ReadonlySet<string>;
  readonly onTicked: (keys: ReadonlySet<string>) => void;
}

function Work({ question, change, canAdd, list, ticked, onTicked }: WorkProps) {
  const t = useT();
  const { query, devices } = list;
  if (query.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={SKELETON_ROWS} rowHeight={32} />
      </div>
    );
  if (query.isError && query.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('devices.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (devices.length > 0)
    return (
      <div className={style.table}>
        <DeviceMenu
          devices={devices}
          onDetails={(device) => change({ device, isAdding: false })}
          onDeleted={(device) => question.device === device && change({ device: '' })}
        />
        <DeviceTable
          devices={devices}
          question={question}
          onChange={change}
          isStale={query.isPlaceholderData}
          {...(canAdd && { ticks: { keys: ticked, onKeys: onTicked } })}
        />
      </div>
    );
  if (isFiltered(question))
    return (
      <StateView
        title={t('devices.noMatch')}
        action={
          <Button onClick={() => change({ keyWord: '', status: 'all', organizationId: '', groupId: '' })}>
            {t('devices.clearFilter')}
          </Button>
        }
      />
    );
  return (
    <StateView
      icon={<IconDeviceCctv size={20} stroke={1.5} />}
      title={t('devices.empty')}
      action={
        canAdd && !question.isAdding ? (
          <Button look="primary" onClick={() => change({ isAdding: true, device: '' })}>
            {t('devices.add')}
          </Button>
        ) : undefined
      }
    />
  );
}

function Side({ question, change }: Pick<WorkProps, 'question' | 'change'>) {
  const t = useT();
  const selected = useMemo(() => new Set([organizationKey(question.organizationId)]), [question.organizationId]);
  const choose = (organizationId: string): void => change({ organizationId });
  return (
    <aside className={`${layout.side} ${style.side}`} aria-label={t('tree.label')}>
      <ResourceTree
        scope="organizations"
        searchLabel={t('devices.searchOrganizations')}
        selectedKeys={selected}
        onActivate={(node) => choose(node.organization?.organizationId ?? '')}
        onSelect={(node) => choose(node.organization?.organizationId ?? '')}
        first={{ label: t('tree.root'), isSelected: question.organizationId === '', onChoose: () => choose('') }}
      />
    </aside>
  );
}

export function DevicesScreen() {
  const t = useT();
  const { question, change } = useListQuestion();
  const list = useDeviceList(question);
  const organizations = useOrganizationOptions();
  const canAdd = usePermissionFlags()?.DeviceManage === true;
  const total = list.query.data?.total ?? 0;
  const { chosen, elsewhereCount, ticked, tick, choose } = useChosenDevices(list.devices);
  const [isFirmware, setFirmware] = useState(false);
  return (
    <main className={layout.screen}>
      <Side question={question} change={change} />
      <div className={layout.middle}>
        <PageHeader title={t('screen.devices')} fact={totalText(t, list)}>
          {canAdd && (
            <HeadActions question={question} change={change} total={total} onFirmware={() => setFirmware(true)} />
          )}
        </PageHeader>
        {chosen.length === 0 ? (
          <DeviceToolbar question={question} onChange={change} canManage={canAdd} />
        ) : (
          <BatchBar devices={chosen} elsewhereCount={elsewhereCount} organizations={organizations} onChosen={choose} />
        )}
        <div className={style.work}>
          <Work question={question} change={change} canAdd={canAdd} list={list} ticked={ticked} onTicked={tick} />
        </div>
        <ListFoot
          total={total}
          pageSize={TABLE_PAGE_SIZE}
          pageStart={question.page - 1}
          onPage={(pageStart) => change({ page: pageStart + 1 })}
        />
      </div>
      {canAdd && <FirmwareDialog isOpen={isFirmware} onClose={() => setFirmware(false)} />}
      <Inspected question={question} change={change} canAdd={canAdd} organizations={organizations} />
    </main>
  );
}

function totalText(t: ReturnType<typeof useT>, { query: { data } }: WorkProps['list']): string | undefined {
  if (data === undefined) return undefined;
  return `${t.plural('devices.total', data.total)} · ${t('devices.onlineTotal', { count: data.onlineTotal })}`;
}

interface HeadActionsProps extends Pick<WorkProps, 'question' | 'change'> {
  readonly total: number;
  readonly onFirmware: () => void;
}

function HeadActions({ question, change, total, onFirmware }: HeadActionsProps) {
  const t = useT();
  const exportList = useExportList(question.organizationId);
  // The empty view offers the same button in the middle.
  const isEmpty = total === 0 && !isFiltered(question);
  // While a device is being added its panel takes their room.
  if (question.isAdding) return null;
  return (
    <>
      {total > 0 && (
        <Button look="quiet" icon={<IconCpu size={16} stroke={1.8} />} title={t('firmware.title')} onClick={onFirmware}>
          {t('firmware.title')}
        </Button>
      )}
      {total > 0 && (
        <Button
          look="quiet"
          icon={<IconDownload size={16} stroke={1.8} />}
          title={t('batch.export')}
          onClick={() => void exportList()}
        >
          {t('batch.export')}
        </Button>
      )}
      {!isEmpty && (
        <Button
          look="primary"
          icon={<IconPlus size={16} stroke={2} />}
          onClick={() => change({ isAdding: true, device: '' })}
        >
          {t('devices.add')}
        </Button>
      )}
    </>
  );
}

interface InspectedProps extends Pick<WorkProps, 'question' | 'change' | 'canAdd'> {
  readonly organizations: ReturnType<typeof useOrganizationOptions>;
}

/** The wizard, or the device that the address names. */
function Inspected({ question, change, canAdd, organizations }: InspectedProps) {
  const navigate = useNavigate();
  const close = (): void => change({ device: '', isAdding: false });
  if (question.isAdding) {
    if (!canAdd) return null;
    return (
      <AddDevice
        organizations={organizations}
        organizationId={question.organizationId === '' ? ROOT_ORGANIZATION : question.organizationId}
        onClose={close}
        onAdded={(device) => change({ device, isAdding: false, keyWord: '', status: 'all' })}
      />
    );
  }
  if (question.device === '') return null;
  return (
    <DeviceInspector
      deviceSerial={question.device}
      organizations={organizations}
      onClose={close}
      onWatch={(deviceSerial, channelNo, isPlayback) =>
        navigate(channelAddress(isPlayback ? PATHS.container : PATHS.liveVideo, { deviceSerial, channelNo }))
      }
    />
  );
}
