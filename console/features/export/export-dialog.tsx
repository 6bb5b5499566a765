// Asks what to export: which cameras, from when to when, which stream, under which name; says how large it would be.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { EXPORT_LIMITS } from '@vedette/contract/limits.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useState } from 'react';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './export-dialog.module.css';
import { type ExportOrder, useExportActions } from './export.query.ts';
import { machineZone } from '../calendar/zone-time.ts';
import { fromInput, lengthText, toInput } from './local-time.ts';
import type { WholeRange } from './marked-range.ts';
import { useEstimate } from './use-estimate.ts';

export interface ExportChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly name: string;
}

export interface ExportDialogProps {
  readonly isOpen: boolean;
  readonly channels: readonly ExportChannel[];
  readonly range: WholeRange;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

export function ExportDialog(props: ExportDialogProps) {
  const t = useT();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('export.dialog')}
      closeLabel={t('common.close')}
      width={480}
    >
      {props.isOpen && <ExportForm {...props} />}
    </Dialog>
  );
}

interface Form {
  readonly chosen: ReadonlySet<string>;
  readonly from: string;
  readonly to: string;
  readonly quality: 0 | 1 | 2;
  readonly name: string;
  readonly burnsIn: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

function ExportForm({ channels, range, onClose, onStarted }: ExportDialogProps) {
  const t = useT();
  const { start: begin } = useExportActions();
  const [form, setForm] = useState<Form>(() => ({
    chosen: new Set(channels.map(cameraKey)),
    from: toInput(range.start),
    to: toInput(range.end),
    quality: 0,
    name: '',
    burnsIn: false,
    isBusy: false,
    failure: null,
  }));
  const change = (part: Partial<Form>): void => setForm((before) => ({ ...before, failure: null, ...part }));
  const times = readTimes(form, range);
  const order: ExportOrder = {
    items: channels
      .filter((channel) => form.chosen.has(cameraKey(channel)))
      .map(({ deviceSerial, channelNo }) => ({ deviceSerial, channelNo, startTime: times.start, endTime: times.end })),
    quality: form.quality,
    ...(form.burnsIn && { burnIn: true, timeZone: machineZone() }),
    ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
  };
  const estimate = useEstimate(order, times.problem === null);
  const size = estimate.data;
  const canStart =
    times.problem === null && size !== undefined && size.recordedTime > 0 && size.bytes <= size.availableBytes;
  const submit = async (): Promise<void> => {
    change({ isBusy: true });
    try {
      await begin(order);
      showToast('success', t('export.started'));
      onStarted();
    } catch (failure) {
      change({ isBusy: false, failure });
    }
  };
  return (
    <form
      className={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart && !form.isBusy) void submit();
      }}
    >
      <ChannelChoice channels={channels} chosen={form.chosen} onChosen={(chosen) => change({ chosen })} />
      <TimeFields form={form} onChange={change} />
      <div className={style.times}>
        <SelectField
          label={t('export.stream')}
          value={String(form.quality)}
          options={([0, 1] as const).map((quality) => ({
            value: String(quality),
            label: t(`recordPlan.stream${quality}`),
          }))}
          onValue={(value) => change({ quality: Number(value) as 0 | 1 })}
        />
        <TextField
          label={t('marks.name')}
          value={form.name}
          maxLength={60}
          onValue={(name) => change({ name: name.replaceAll(/[<>]/g, '') })}
        />
      </div>
      <p className={style.size} role="status">
        {statusText(t, { problem: times.problem, estimate, isEmpty: order.items.length === 0 })}
      </p>
      <CheckBox
        label={t('export.burnIn')}
        detail={t('export.burnInDetail')}
        isOn={form.burnsIn}
        onToggle={(burnsIn) => change({ burnsIn })}
      />
      <p className={style.explain}>{t(form.burnsIn ? 'export.explainBurnIn' : 'export.explain')}</p>
      {form.failure !== null && <Notice tone="error">{refusalText(t, form)}</Notice>}
      <div className={style.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" disabled={!canStart} isBusy={form.isBusy}>
          {t('export.go')}
        </Button>
      </div>
    </form>
  );
}

/** What this server lacks for a burn-in is said by name. */
function refusalText(t: ReturnType<typeof useT>, { failure, burnsIn }: Form): string {
  const isLacking = burnsIn && failureCode(failure) === ERROR_CODES.functionNotSupported;
  return isLacking ? t('export.cannotBurnIn') : failureText(t, failure);
}

function TimeFields({ form, onChange }: { readonly form: Form; readonly onChange: (part: Partial<Form>) => void }) {
  const t = useT();
  const fields = [
    ['export.startTime', form.from, (from: string) => onChange({ from })],
    ['export.endTime', form.to, (to: string) => onChange({ to })],
  ] as const;
  return (
    <div className={style.times}>
      {fields.map(([label, value, onTime]) => (
        <label key={label} className={style.time}>
          <span>{t(label)}</span>
          <input type="datetime-local" step={1} value={value} onChange={(event) => onTime(event.currentTarget.value)} />
        </label>
      ))}
    </div>
  );
}

type Estimate = ReturnType<typeof useEstimate>;

interface Times extends WholeRange {
  readonly problem: 'export.wrongTime' | 'export.endFirst' | 'export.tooLong' | null;
}

/** What was not touched keeps its milliseconds. */
function readTimes({ from, to }: Form, range: WholeRange): Times {
  const start = from === toInput(range.start) ? range.start : fromInput(from);
  const end = to === toInput(range.end) ? range.end : fromInput(to);
  if (start === null || end === null) return { start: 0, end: 0, problem: 'export.wrongTime' };
  const times = { start: Math.floor(start), end: Math.ceil(end) };
  if (times.end <= times.start) return { ...times, problem: 'export.endFirst' };
  return { ...times, problem: times.end - times.start > EXPORT_LIMITS.rangeMs ? 'export.tooLong' : null };
}

function statusText(
  t: ReturnType<typeof useT>,
  status: { readonly problem: Times['problem']; readonly estimate: Estimate; readonly isEmpty: boolean },
): string {
  const { problem, estimate, isEmpty } = status;
  if (problem !== null) return t(problem);
  if (estimate.isError) return failureText(t, estimate.error);
  if (estimate.data === undefined) return isEmpty ? '' : t('export.measuring');
  return sizeSentence(t, estimate.data);
}

function sizeSentence(
  t: ReturnType<typeof useT>,
  {
    bytes,
    recordedTime,
    availableBytes,
  }: { readonly bytes: number; readonly recordedTime: number; readonly availableBytes: number },
): string {
  if (recordedTime === 0) return t('export.nothing');
  const size = sizeText(t, bytes);
  if (bytes > availableBytes) return t('export.noRoom', { size, available: sizeText(t, availableBytes) });
  return t('export.size', { size, length: lengthText(t.shown, recordedTime) });
}

function ChannelChoice(props: {
  readonly channels: readonly ExportChannel[];
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
}) {
  const t = useT();
  const { channels, chosen, onChosen } = props;
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChosen(next);
  };
  return (
    <fieldset className={style.channels}>
      <legend>{t('export.channels')}</legend>
      {channels.map((channel) => (
        <label key={cameraKey(channel)} className={style.channel}>
          <input type="checkbox" checked={chosen.has(cameraKey(channel))} onChange={() => toggle(cameraKey(channel))} />
          <span>{channel.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
