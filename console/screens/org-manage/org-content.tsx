// The right side of orgManage: the chosen organisation, what can be done to it, and the devices right in it.
import {
  IconDotsVertical,
  IconFolderPlus,
  IconFolderSymlink,
  IconPencil,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Device, Organization } from '@vedette/contract/entities.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { deviceTone, deviceTypeText, statusText } from '../../features/device-inspector/device-words.ts';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { ROOT_ORGANIZATION } from '../../features/resource-tree/organization-options.ts';
import { openShare, organizationTarget } from '../../features/share/share-target.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useNewestDevice } from '../../realtime/status-store.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { deviceDrag } from './device-drop.ts';
import { mayManage } from './org-changes.ts';
import type { OrgDialogKind } from './org-dialogs.tsx';
import style from './org-manage-screen.module.css';

export interface OrgContentProps {
  /** undefined is the root. */
  readonly organization: Organization | undefined;
  readonly fact: string;
  readonly isOwner: boolean;
  /** What stands above the devices. */
  readonly below: ReactNode;
  readonly onDialog: (kind: OrgDialogKind, serials?: readonly string[]) => void;
  readonly onRename: () => void;
}

function StatusCell({ device }: { readonly device: Device }) {
  const t = useT();
  const { status } = useNewestDevice(device);
  return <StatusDot tone={deviceTone(status)} label={statusText(t, status)} />;
}

function useColumns(): readonly Column<Device, string>[] {
  const t = useT();
  return [
    { id: 'name', title: t('devices.name'), draw: (device) => device.deviceName },
    { id: 'status', title: t('devices.status'), width: '108px', draw: (device) => <StatusCell device={device} /> },
    {
      id: 'type',
      title: t('devices.type'),
      width: '96px',
      isLesser: true,
      draw: ({ deviceType }) => deviceTypeText(t, deviceType),
    },
    {
      id: 'serial',
      title: t('devices.serial'),
      isMinor: true,
      draw: ({ deviceSerial }) => <span className="digits">{deviceSerial}</span>,
    },
  ];
}

const NO_KEYS: ReadonlySet<string> = new Set();

export function OrgContent(props: OrgContentProps) {
  const { organization, fact, isOwner, onDialog } = props;
  const t = useT();
  const canManage = mayManageHere(organization, isOwner);
  return (
    <div className={layout.middle}>
      <PageHeader level={2} title={organization?.organizationName ?? t('org.root')} fact={fact}>
        {organization !== undefined && canShare(organization, isOwner) && (
          <Button
            look="quiet"
            icon={<IconShare size={16} stroke={1.8} />}
            onClick={() => openShare([organizationTarget(organization)])}
          >
            {t('share.open')}
          </Button>
        )}
        {canManage && (
          <Button icon={<IconFolderPlus size={16} stroke={1.8} />} onClick={() => onDialog('add')}>
            {t(organization === undefined ? 'org.addTop' : 'org.add')}
          </Button>
        )}
        {canManage && organization !== undefined && <OrgMenu {...props} />}
      </PageHeader>
      {props.below}
      <Devices key={organization?.organizationId ?? ROOT_ORGANIZATION} {...props} />
    </div>
  );
}

/** The root is its owner's alone. */
function mayManageHere(organization: Organization | undefined, isOwner: boolean): boolean {
  return organization === undefined ? isOwner : mayManage(organization);
}

function canShare({ permission }: Organization, isOwner: boolean): boolean {
  return isOwner && permission.includes('Reshare');
}

function OrgMenu({ organization, onDialog, onRename }: OrgContentProps) {
  const t = useT();
  return (
    <Menu
      label={t('org.actions')}
      side="bottom-end"
      entries={[
        {
          kind: 'item',
          label: t('share.open'),
          icon: <IconShare size={16} stroke={1.7} />,
          isDisabled: organization === undefined,
          onChoose: () => {
            if (organization !== undefined) openShare([organizationTarget(organization)]);
          },
        },
        { kind: 'item', label: t('org.rename'), icon: <IconPencil size={16} stroke={1.7} />, onChoose: onRename },
        {
          kind: 'item',
          label: t('org.move'),
          icon: <IconFolderSymlink size={16} stroke={1.7} />,
          onChoose: () => onDialog('move'),
        },
        { kind: 'line' },
        {
          kind: 'item',
          label: t('org.delete'),
          icon: <IconTrash size={16} stroke={1.7} />,
          isDanger: true,
          onChoose: () => onDialog('delete'),
        },
      ]}
    >
      <IconButton label={t('org.actions')}>
        <IconDotsVertical size={17} stroke={1.8} />
      </IconButton>
    </Menu>
  );
}

function Devices({ organization, onDialog }: OrgContentProps) {
  const t = useT();
  const caller = useCaller();
  const navigate = useNavigate();
  const columns = useColumns();
  const [pageStart, setPage] = useState(0);
  const [ticked, setTicked] = useState(NO_KEYS);
  const input = {
    organizationId: organization?.organizationId ?? ROOT_ORGANIZATION,
    pageStart,
    pageSize: PAGE_SIZE.organizationDevices,
  };
  const query = useQuery({
    queryKey: ['org/device/list', input],
    queryFn: ({ signal }) => caller.ask('org/device/list', input, { signal, showError: false }),
    placeholderData: keepPreviousData,
  });
  if (query.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={10} rowHeight={32} />
      </div>
    );
  if (query.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('devices.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  const { deviceList, total } = query.data;
  const movable = deviceList.filter((device) => device.permission.includes('DeviceManage'));
  const chosen = movable.filter(({ keySerial }) => ticked.has(keySerial)).map(({ deviceSerial }) => deviceSerial);
  if (total === 0)
    return (
      <StateView
        title={t('org.noDevices')}
        detail={t('org.noDevicesDetail')}
        action={<Button onClick={() => void navigate(PATHS.deviceManage)}>{t('org.toDevices')}</Button>}
      />
    );
  return (
    <>
      <div className={style.bar} data-empty={chosen.length === 0 || undefined}>
        {chosen.length === 0 ? (
          <span className={style.hint}>{movable.length > 0 ? t('org.dragHint') : ''}</span>
        ) : (
          <>
            <span>{t.plural('batch.chosen', chosen.length)}</span>
            <Button
              look="quiet"
              icon={<IconFolderSymlink size={15} stroke={1.8} />}
              onClick={() => onDialog('moveDevices', chosen)}
            >
              {t('org.moveDevices')}
            </Button>
          </>
        )}
      </div>
      <div className={style.table}>
        <DataTable<Device, string>
          label={t('devices.table')}
          columns={columns}
          rows={deviceList}
          keyOf={({ keySerial }) => keySerial}
          nameOf={({ deviceName }) => deviceName}
          selectedKey={null}
          onSelect={({ deviceSerial }) =>
            void navigate(`${PATHS.deviceManage}?${new URLSearchParams({ device: deviceSerial })}`)
          }
          sort={{ by: 'name', order: 'asc' }}
          onSort={() => undefined}
          isStale={query.isPlaceholderData}
          onDragRow={(device, event) => {
            deviceDrag.begin(event.dataTransfer, ticked.has(device.keySerial) ? chosen : [device.deviceSerial], 'move');
          }}
          ticks={{
            keys: ticked,
            onKeys: setTicked,
            allLabel: t('find.all'),
            labelOf: ({ deviceName }) => t('batch.choose', { name: deviceName }),
          }}
        />
      </div>
      <ListFoot total={total} pageSize={input.pageSize} pageStart={pageStart} onPage={setPage} />
    </>
  );
}
