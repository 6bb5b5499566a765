// Registers an app or changes it: name, logo, redirect addresses, what it may ask for.
import { APP_SCOPE_NAMES, type AppScope } from '@vedette/contract/app-scopes.ts';
import type { App } from '@vedette/contract/calls/app.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { APP_LIMITS } from '@vedette/contract/limits.ts';
import { isEmbedOrigin } from '@vedette/rules/validation/embed-origin.ts';
import { isRedirectUri } from '@vedette/rules/validation/redirect-uri.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { AppLogoField } from './app-logo-field.tsx';
import style from './dialogs.module.css';

interface Draft {
  readonly appName: string;
  readonly logo: string;
  readonly redirects: string;
  readonly embedders: string;
  readonly scopeList: readonly AppScope[];
  readonly isPublic: boolean;
  readonly isEnabled: boolean;
}

const NEW: Draft = {
  appName: '',
  logo: '',
  redirects: '',
  embedders: '',
  scopeList: ['openid', 'profile', 'offline_access', 'device.list', 'live'],
  isPublic: false,
  isEnabled: true,
};

function draftOf(app: App | null): Draft {
  if (app === null) return NEW;
  return { ...app, redirects: app.redirectUriList.join('\n'), embedders: app.embedOriginList.join('\n') };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export interface AppDialogProps {
  /** Null: a new one. */
  readonly app: App | null;
  readonly onClose: () => void;
  readonly onSaved: (saved: CallOutput<'app/save'>) => Promise<void>;
}

export function AppDialog({ app, onClose, onSaved }: AppDialogProps) {
  const t = useT();
  const caller = useCaller();
  const [draft, setDraft] = useState(() => draftOf(app));
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const wrong = linesOf(draft.redirects).findIndex((uri) => !isRedirectUri(uri, draft));
  const wrongOrigin = linesOf(draft.embedders).findIndex((origin) => !isEmbedOrigin(origin));
  const save = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    const { appName, logo, scopeList, isPublic, isEnabled } = draft;
    const which = app === null ? {} : { appId: app.appId, version: app.version };
    const addresses = { redirectUriList: linesOf(draft.redirects), embedOriginList: linesOf(draft.embedders) };
    const texts = { appName: appName.trim(), logo, ...addresses, scopeList: [...scopeList] };
    try {
      await onSaved(await caller.ask('app/save', { ...which, ...texts, isPublic, isEnabled }, { showError: false }));
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={app === null ? t('personal.newApp') : app.appName}
      closeLabel={t('common.close')}
      width={520}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            isBusy={state.isBusy}
            disabled={draft.appName.trim() === '' || wrong !== -1 || wrongOrigin !== -1}
            onClick={() => void save()}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className={style.fields}>
        <TextField
          label={t('personal.appName')}
          value={draft.appName}
          onValue={(appName) => change({ appName })}
          maxLength={64}
        />
        <AppLogoField logo={draft.logo} onLogo={(logo) => change({ logo })} />
        <TextArea
          label={t('personal.appRedirects')}
          hint={t('personal.appRedirectsHint')}
          value={draft.redirects}
          onValue={(redirects) => change({ redirects })}
          maxLength={APP_LIMITS.redirectUris * APP_LIMITS.uriLength}
          rows={3}
          isCode
          error={wrong === -1 ? null : t('personal.appRedirectWrong', { line: wrong + 1 })}
        />
        <TextArea
          label={t('personal.appEmbedders')}
          hint={t('personal.appEmbeddersHint')}
          value={draft.embedders}
          onValue={(embedders) => change({ embedders })}
          maxLength={APP_LIMITS.embedOrigins * APP_LIMITS.uriLength}
          rows={2}
          isCode
          error={wrongOrigin === -1 ? null : t('personal.appEmbedderWrong', { line: wrongOrigin + 1 })}
        />
        <ScopeBoxes scopeList={draft.scopeList} onScopes={(scopeList) => change({ scopeList })} />
        {app === null && (
          <SwitchField
            label={t('personal.appPublic')}
            isOn={draft.isPublic}
            onToggle={(isPublic) => change({ isPublic })}
          />
        )}
        <SwitchField
          label={t('personal.appEnabled')}
          isOn={draft.isEnabled}
          onToggle={(isEnabled) => change({ isEnabled })}
        />
        {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      </div>
    </Dialog>
  );
}

interface ScopeBoxesProps {
  readonly scopeList: readonly AppScope[];
  readonly onScopes: (scopeList: readonly AppScope[]) => void;
}

function ScopeBoxes({ scopeList, onScopes }: ScopeBoxesProps) {
  const t = useT();
  return (
    <fieldset className={style.boxes}>
      <legend>{t('personal.appScopes')}</legend>
      {APP_SCOPE_NAMES.map((scope) => (
        <CheckBox
          key={scope}
          label={t(`scope.${scope}`)}
          isOn={scopeList.includes(scope)}
          onToggle={(isOn) => onScopes(isOn ? [...scopeList, scope] : scopeList.filter((one) => one !== scope))}
        />
      ))}
    </fieldset>
  );
}
