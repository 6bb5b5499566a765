// The audit log: who did and who watched what, newest first, as a table and as CSV.
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { SUCCESS } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { IconDownload, IconEye, IconPencil, IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { saveText } from '../../browser/save-text.ts';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { InstantField } from '../../ui/fields/instant-field.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { isIntact, verdictText } from './audit-verdict.ts';
import { useAuditWords } from './audit-words.ts';
import style from './permission-config-screen.module.css';
import { AUDIT_PAGE, type AuditFilter, auditInput, useAudit } from './permission.query.ts';

const KIND_ICON = { size: 15, stroke: 1.7, 'aria-hidden': true } as const;
const ALL: AuditFilter = {
  kind: 'all',
  userName: '',
  isRefused: false,
  deviceSerial: '',
  startTime: null,
  endTime: null,
};

function useColumns(): readonly Column<AuditEntry, string>[] {
  const t = useT();
  const format = useTimeFormat();
  const words = useAuditWords();
  return [
    {
      id: 'time',
      title: t('audit.time'),
      width: '168px',
      draw: ({ time }) => <span className="digits">{formatDateTime(time, format)}</span>,
    },
    { id: 'user', title: t('audit.user'), width: '140px', draw: ({ userName }) => userName || '–' },
    {
      id: 'call',
      title: t('audit.what'),
      draw: ({ call, kind, detail }) => (
        <>
          <span className={style.kind} data-kind={kind} title={t(kind === 'watch' ? 'audit.watched' : 'audit.changed')}>
            {kind === 'watch' ? <IconEye {...KIND_ICON} /> : <IconPencil {...KIND_ICON} />}
          </span>
          <span title={call}>{words.sentence({ call, detail })}</span>
        </>
      ),
    },
    { id: 'object', title: t('audit.object'), draw: (entry) => words.object(entry) || '–' },
    {
      id: 'result',
      title: t('audit.result'),
      width: '200px',
      draw: (entry) => (
        <span
          className={style.result}
          data-bad={entry.code !== SUCCESS || undefined}
          title={words.failure(entry) || undefined}
        >
          {entry.code === SUCCESS ? t('audit.done') : words.failure(entry)}
        </span>
      ),
    },
    { id: 'address', title: t('audit.address'), width: '130px', isMinor: true, draw: ({ address }) => address },
  ];
}

function useAuditActions(filter: AuditFilter) {
  const t = useT();
  const caller = useCaller();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (failure) {
      if (failure instanceof NetworkFailure) showToast('error', failureText(t, failure));
      // Whatever the server refused has been shown already.
    }
  };
  return {
    save: () =>
      attempt(async () => {
        const { name, csv, isCut } = await caller.ask('audit/export', auditInput(filter));
        saveText(name, csv);
        if (isCut) showToast('info', t('audit.cut'));
      }),
    verify: () =>
      attempt(async () => {
        const found = await caller.ask('audit/verify', {});
        showToast(isIntact(found) ? 'success' : 'error', verdictText(t, found));
      }),
  };
}

export interface AuditPartProps {
  /** Id of the entry that stands in the inspector. */
  readonly openId: string | null;
  readonly onOpen: (entry: AuditEntry) => void;
}

export function AuditPart({ openId, onOpen }: AuditPartProps) {
  const t = useT();
  const [filter, setFilter] = useState(ALL);
  const [pageStart, setPage] = useState(0);
  const columns = useColumns();
  const words = useAuditWords();
  const { data, error, isPending, isPlaceholderData, refetch } = useAudit(filter, pageStart);
  const change = (part: Partial<AuditFilter>): void => {
    setFilter((before) => ({ ...before, ...part }));
    setPage(0);
  };
  const total = data?.total ?? 0;
  return (
    <>
      <AuditToolbar filter={filter} change={change} />
      <div className={style.work}>
        {isPending && <SkeletonLines label={t('common.loading')} rows={12} rowHeight={32} />}
        {data === undefined && error !== null && (
          <StateView
            role="alert"
            title={t('audit.error')}
            detail={failureText(t, error)}
            action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
          />
        )}
        {data !== undefined && total === 0 && <StateView title={t('audit.empty')} />}
        {total > 0 && (
          <DataTable<AuditEntry, string>
            label={t('audit.title')}
            columns={columns}
            rows={data?.auditList ?? []}
            keyOf={({ entryId }) => entryId}
            nameOf={(entry) => `${entry.userName} ${words.sentence(entry)}`}
            selectedKey={openId}
            onSelect={onOpen}
            sort={{ by: 'time', order: 'desc' }}
            onSort={() => undefined}
            isStale={isPlaceholderData}
          />
        )}
      </div>
      <ListFoot total={total} pageSize={AUDIT_PAGE} pageStart={pageStart} onPage={setPage} />
    </>
  );
}

interface AuditToolbarProps {
  readonly filter: AuditFilter;
  readonly change: (part: Partial<AuditFilter>) => void;
}

function AuditToolbar({ filter, change }: AuditToolbarProps) {
  const t = useT();
  const isOperator = useAuth((auth) => auth.userType === USER_TYPE.super);
  const { save, verify } = useAuditActions(filter);
  return (
    <div className={style.filters}>
      <Segmented<AuditFilter['kind']>
        label={t('audit.kind')}
        value={filter.kind}
        onValue={(kind) => change({ kind })}
        options={[
          { value: 'all', label: t('common.all') },
          { value: 'write', label: t('audit.changes') },
          { value: 'watch', label: t('audit.watching') },
        ]}
      />
      <div className={style.search}>
        <TextField
          aria-label={t('audit.searchUser')}
          placeholder={t('audit.searchUser')}
          value={filter.userName}
          onValue={(userName) => change({ userName })}
          maxLength={64}
          leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
        />
      </div>
      <DeviceFilter deviceSerial={filter.deviceSerial} onDevice={(deviceSerial) => change({ deviceSerial })} />
      <div className={style.instants}>
        <InstantField label={t('audit.from')} at={filter.startTime} onAt={(startTime) => change({ startTime })} />
        <span aria-hidden="true">–</span>
        <InstantField label={t('audit.to')} at={filter.endTime} onAt={(endTime) => change({ endTime })} />
      </div>
      <CheckBox
        label={t('audit.onlyRefused')}
        isOn={filter.isRefused}
        onToggle={(isRefused) => change({ isRefused })}
      />
      <span className={style.space} />
      {isOperator && (
        <Button look="quiet" icon={<IconShieldCheck size={16} stroke={1.8} />} onClick={() => void verify()}>
          {t('audit.verify')}
        </Button>
      )}
      <Button look="quiet" icon={<IconDownload size={16} stroke={1.8} />} onClick={() => void save()}>
        {t('audit.csv')}
      </Button>
    </div>
  );
}

interface DeviceFilterProps {
  readonly deviceSerial: string;
  readonly onDevice: (deviceSerial: string) => void;
}

function DeviceFilter({ deviceSerial, onDevice }: DeviceFilterProps) {
  const t = useT();
  const resources = useResources().data ?? [];
  const devices = resources.flatMap((one) =>
    one.resourceType === 'device' ? [{ value: one.device.deviceSerial, label: one.device.deviceName }] : [],
  );
  return (
    <div className={style.search}>
      <SelectField
        label={t('audit.camera')}
        isLabelHidden
        value={deviceSerial}
        options={[{ value: '', label: t('audit.allCameras') }, ...devices]}
        onValue={onDevice}
        isSearchable
        nothingFound={t('audit.empty')}
      />
    </div>
  );
}
