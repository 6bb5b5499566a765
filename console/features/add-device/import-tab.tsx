// Tab "import": many devices from CSV files; a preview shows what would happen.
import { IMPORT_COLUMNS } from '@vedette/rules/onboarding/import-rows.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import type { DeviceImport } from '@vedette/contract/calls/onboarding.ts';
import { useState } from 'react';
import { saveText } from '../../browser/save-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { DropFile } from '../../ui/fields/drop-file.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import style from './add-device.module.css';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { ImportRows, rowText } from './import-rows.tsx';
import { useImport } from './use-import.ts';
import { WizardFooter } from './wizard-footer.tsx';

const ACCEPT = '.csv,text/csv';
const EXAMPLE = [
  ['', 'Gate', 'camera', '192.168.1.64', '', 'admin', '', '', ''],
  ['', 'Dock 3', 'camera', '192.168.1.65', '554', 'admin', '', '/stream1', 'Campus/Waterfront'],
  ['NVR0001', 'Recorder', 'recorder', '192.168.1.10', '8000', 'admin', '', '', 'Campus'],
];

export function ImportTab(props: AddDeviceTabProps) {
  const t = useT();
  const [isProbed, setProbed] = useState(true);
  const [organizationId, setOrganization] = useState(props.organizationId);
  const flow = useImport({ isProbed, organizationId });
  const { file, isRunning, problem } = flow;
  return (
    <div className={style.form}>
      {!isRunning && <CsvFile flow={flow} />}
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      {file !== null && !isRunning && (
        <>
          <SelectField
            label={t('add.organization')}
            value={organizationId}
            options={props.organizations}
            onValue={setOrganization}
          />
          <div>
            <SwitchField label={t('file.probe')} isOn={isProbed} onToggle={setProbed} />
            {!isProbed && <p className={style.note}>{t('file.noProbe')}</p>}
          </div>
        </>
      )}
      <FlowState flow={flow} />
      <WizardFooter>
        {isRunning && <Button onClick={() => void flow.stop()}>{t('file.cancel')}</Button>}
        {!isRunning && <Choices flow={flow} />}
      </WizardFooter>
    </div>
  );
}

interface FlowProps {
  readonly flow: ReturnType<typeof useImport>;
}

function CsvFile({ flow }: FlowProps) {
  const t = useT();
  const { file } = flow;
  const isReading = file?.state === 'uploading';
  return (
    <DropFile
      label={t('file.drop')}
      chooseLabel={t(file === null ? 'file.pick' : 'file.other')}
      hint={t(isReading ? 'file.reading' : 'file.columns')}
      accept={ACCEPT}
      held={file?.name ?? null}
      isMultiple
      isBusy={isReading}
      onFiles={(given) => void flow.take(given)}
      onRefused={flow.refuse}
    />
  );
}

/** What would become of the rows, or what is becoming of them. */
function FlowState({ flow: { dryRun, task, placeOf } }: FlowProps) {
  const t = useT();
  const shown = dryRun ?? task;
  return (
    <>
      {dryRun?.isSiteAway === true && <Notice tone="warning">{t('file.siteAway')}</Notice>}
      {dryRun === null && task !== null && <TaskState task={task} />}
      {shown !== null && shown.rowList.length > 0 && <ImportRows rows={shown.rowList} placeOf={placeOf} />}
    </>
  );
}

/** What can be done while nothing runs. */
function Choices({ flow }: FlowProps) {
  const t = useT();
  const { file, dryRun, task } = flow;
  const ready = readyTotal(dryRun ?? task);
  return (
    <>
      {file !== null && ready > 0 && (
        <>
          <Button look="primary" onClick={() => void flow.run('apply')}>
            {t.plural('file.apply', ready)}
          </Button>
          <Button onClick={() => void flow.run('check')}>{t('file.check')}</Button>
        </>
      )}
      {file === null && (
        <Button look="quiet" onClick={() => saveText('devices-example.csv', writeCsv([IMPORT_COLUMNS, ...EXAMPLE]))}>
          {t('file.example')}
        </Button>
      )}
      {dryRun === null && flow.retryable > 0 && <Button onClick={() => void flow.retry()}>{t('find.retry')}</Button>}
      {dryRun === null && task !== null && (
        <Button look="quiet" onClick={() => saveText('devices-report.csv', report(t, task, flow.placeOf))}>
          {t('file.report')}
        </Button>
      )}
    </>
  );
}

function readyTotal(shown: DeviceImport | null): number {
  return shown?.rowList.filter(({ state }) => state === 'ready').length ?? 0;
}

function TaskState({ task }: { readonly task: DeviceImport }) {
  const t = useT();
  if (task.state !== 'running') {
    return <Notice tone="info">{t(task.state === 'finished' ? 'file.done' : 'file.cancelled')}</Notice>;
  }
  const label = t(task.mode === 'check' ? 'file.checking' : 'file.running');
  return (
    <div className={style.progress} role="status">
      <span>{label}</span>
      <span>{t('find.progress', { done: task.done, total: task.total })}</span>
      <span>{t('file.goesOn')}</span>
      <UsageBar label={label} share={task.total === 0 ? 0 : task.done / task.total} tone="normal" />
    </div>
  );
}

function report(t: ReturnType<typeof useT>, task: DeviceImport, placeOf: (line: number) => string): string {
  const head = [t('file.line'), t('column.name'), t('column.address'), t('column.serial'), t('file.state'), ''];
  const rows = task.rowList.map((row) => [
    placeOf(row.line),
    row.deviceName,
    row.address,
    row.deviceSerial ?? '',
    t(`row.${row.state}`),
    rowText(t, row),
  ]);
  return writeCsv([head, ...rows]);
}
