// The editor of a device's connection: its address and account, tried before they are saved.
import { type FormEvent, type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import style from './connection-editor.module.css';
import {
  type ConnectionDraft,
  draftOf,
  isChanged,
  isMoved,
  type StoredConnection,
  targetProblem,
} from './connection-draft.ts';
import { closeConnection, type ConnectionTarget, useConnectionTarget } from './connection-target.ts';
import { useConnectionAttempt, useStoredConnection } from './use-connection.ts';

const FORM = 'device-connection';
const WIDTH = 480;

export function ConnectionDialog() {
  const target = useConnectionTarget((state) => state.target);
  return target === null ? null : <ConnectionEditor key={target.deviceSerial} {...target} onClose={closeConnection} />;
}

export interface ConnectionEditorProps extends ConnectionTarget {
  readonly onClose: () => void;
}

export function ConnectionEditor(props: ConnectionEditorProps) {
  const t = useT();
  const { data: stored, isPending, error, refetch } = useStoredConnection(props.deviceSerial);
  if (stored !== undefined) return <Editor {...props} stored={stored} />;
  return (
    <Frame {...props}>
      {isPending ? (
        <SkeletonLines label={t('common.loading')} rows={4} rowHeight={48} />
      ) : (
        <StateView
          isSmall
          role="alert"
          title={failureText(t, error)}
          action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
        />
      )}
    </Frame>
  );
}

interface FrameProps extends ConnectionEditorProps {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

function Frame({ name, onClose, children, actions }: FrameProps) {
  const t = useT();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('connect.title', { name })}
      closeLabel={t('common.close')}
      width={WIDTH}
      actions={actions}
    >
      {children}
    </Dialog>
  );
}

function Editor(props: ConnectionEditorProps & { readonly stored: StoredConnection }) {
  const { stored, name, deviceSerial, onClose } = props;
  const t = useT();
  const [draft, setDraft] = useState<ConnectionDraft>(() => draftOf(stored));
  const [isSame, setSame] = useState(false);
  const attempt = useConnectionAttempt(deviceSerial, stored);
  const leave = useUnsaved(isChanged(draft, stored));
  const close = (): void => leave(onClose);
  const problem = targetProblem(draft, stored);
  const isBusy = attempt.busy !== null;
  const canSave = isChanged(draft, stored) && problem === null && (!attempt.isOther || isSame);
  const change = (part: Partial<ConnectionDraft>): void => {
    setDraft({ ...draft, ...part });
    setSame(false);
    attempt.forget();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!canSave || isBusy || !(await attempt.save(draft, isSame))) return;
    showToast('success', t('connect.saved', { name }));
    onClose();
  };
  return (
    <Frame
      {...props}
      onClose={close}
      actions={
        <>
          <Button look="quiet" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button
            isBusy={attempt.busy === 'test'}
            disabled={problem !== null || isBusy}
            onClick={() => void attempt.test(draft)}
          >
            {t('connect.test')}
          </Button>
          <Button
            type="submit"
            form={FORM}
            look="primary"
            isBusy={attempt.busy === 'save'}
            disabled={!canSave || isBusy}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        <ConnectionFields draft={draft} stored={stored} onChange={change} disabled={isBusy} />
        <div className={style.result} aria-live="polite">
          <Outcome attempt={attempt} />
          {attempt.isOther && (
            <CheckBox
              label={t('connect.same')}
              detail={t('connect.sameDetail')}
              isOn={isSame}
              onToggle={setSame}
              disabled={isBusy}
            />
          )}
        </div>
      </form>
    </Frame>
  );
}

interface FieldsProps {
  readonly draft: ConnectionDraft;
  readonly stored: StoredConnection;
  readonly onChange: (part: Partial<ConnectionDraft>) => void;
  readonly disabled: boolean;
}

const PROBLEMS = { blank: 'add.targetRequired', long: 'add.targetLong', hidden: 'connect.wholeAddress' } as const;

function ConnectionFields({ draft, stored, onChange, disabled }: FieldsProps) {
  const t = useT();
  const problem = targetProblem(draft, stored);
  const keepsPassword = stored.hasPassword && !isMoved(draft, stored);
  const passwordHint = isMoved(draft, stored) && stored.hasPassword ? 'connect.passwordAgain' : 'connect.passwordKept';
  return (
    <>
      <TextField
        label={t('add.target')}
        name="device-target"
        value={draft.target}
        onValue={(target) => onChange({ target: target.trim() })}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        disabled={disabled}
        hint={t('add.targetHint')}
        error={problem === null ? null : t(PROBLEMS[problem])}
      />
      <div className={style.pair}>
        <TextField
          label={t('add.user')}
          name="device-user"
          value={draft.user}
          onValue={(user) => onChange({ user })}
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          disabled={disabled}
        />
        <PasswordField
          label={t('add.password')}
          name="device-password"
          value={draft.password}
          onValue={(password) => onChange({ password })}
          maxLength={128}
          autoComplete="new-password"
          disabled={disabled}
          revealLabel={t('common.showPassword')}
          {...(keepsPassword && { placeholder: t('connect.unchanged') })}
        />
      </div>
      <p className={style.hint}>{stored.hasPassword ? t(passwordHint) : t('add.credentialsHint')}</p>
    </>
  );
}

/** What came of the last attempt; the result of a test says what answered. */
function Outcome({ attempt }: { readonly attempt: ReturnType<typeof useConnectionAttempt> }) {
  const t = useT();
  const { busy, tested, failure } = attempt;
  if (busy !== null) return <Notice tone="info">{t('connect.trying')}</Notice>;
  if (failure !== null) return <Notice tone="error">{failureText(t, failure)}</Notice>;
  if (tested === null) return null;
  const answered = [tested.manufacturer, tested.deviceModel].filter((text) => text !== '').join(' ');
  const channels = t.plural('add.channelTotal', tested.channelTotal);
  const device = [answered || tested.driver.toUpperCase(), channels].join(' · ');
  if (!tested.isSameDevice) return <Notice tone="warning">{t('connect.other', { device })}</Notice>;
  return <Notice tone="info">{t('connect.reached', { device })}</Notice>;
}
