// Tab "by serial": a device that dials out waits for a user who has its serial and registration code.
import {
  deviceNameProblem,
  deviceSerialProblem,
  registrationCodeProblem,
} from '@vedette/rules/validation/device-fields.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './add-device.module.css';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { WizardFooter } from './wizard-footer.tsx';

const FORM = 'add-device-serial';

export function AddBySerialTab({ organizations, organizationId: usual, onAdded, onClose }: AddDeviceTabProps) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const [fields, setFields] = useState({ deviceSerial: '', code: '', deviceName: '', organizationId: usual });
  const [state, setState] = useState<{ isTried: boolean; isBusy: boolean; failure: unknown }>({
    isTried: false,
    isBusy: false,
    failure: null,
  });
  // Labels print the code in groups.
  const registrationCode = fields.code.replace(/[\s-]/g, '');
  const problems = {
    serial: deviceSerialProblem(fields.deviceSerial),
    code: registrationCodeProblem(registrationCode),
    name: deviceNameProblem(fields.deviceName),
  };
  const say = (problem: string | null, text: string): string | null =>
    state.isTried && problem !== null ? text : null;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState({ ...state, isTried: true });
    if (Object.values(problems).some((problem) => problem !== null)) return;
    setState({ isTried: true, isBusy: true, failure: null });
    const { deviceSerial, deviceName, organizationId } = fields;
    try {
      const input = { deviceSerial, registrationCode, deviceName, organizationId };
      const { device } = await caller.ask('device/add', input, { showError: false });
      showToast('success', t('add.added', { name: device.deviceName }));
      await fetchResourcesAgain(client);
      onAdded(device.deviceSerial);
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  }
  return (
    <form id={FORM} className={style.form} noValidate autoComplete="off" onSubmit={(event) => void submit(event)}>
      <p className={style.intro}>{t('serial.intro')}</p>
      <TextField
        label={t('serial.serial')}
        value={fields.deviceSerial}
        onValue={(text) => setFields({ ...fields, deviceSerial: text.trim() })}
        autoFocus
        maxLength={20}
        spellCheck={false}
        autoComplete="off"
        error={say(problems.serial, t('serial.serialBad'))}
      />
      <TextField
        label={t('serial.code')}
        value={fields.code}
        onValue={(code) => setFields({ ...fields, code })}
        maxLength={40}
        spellCheck={false}
        autoComplete="off"
        hint={t('serial.codeHint')}
        error={say(problems.code, t('serial.codeBad'))}
      />
      <TextField
        label={t('add.name')}
        value={fields.deviceName}
        onValue={(deviceName) => setFields({ ...fields, deviceName })}
        error={say(problems.name, t('valid.deviceName'))}
      />
      <SelectField
        label={t('add.organization')}
        value={fields.organizationId}
        options={organizations}
        onValue={(organizationId) => setFields({ ...fields, organizationId })}
      />
      {state.failure !== null && (
        <Notice tone="error">
          {isFailure(state.failure, ERROR_CODES.devNotExist) ? t('serial.noDevice') : failureText(t, state.failure)}
        </Notice>
      )}
      <WizardFooter>
        <Button type="submit" form={FORM} look="primary" isBusy={state.isBusy}>
          {t('add.submit')}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </WizardFooter>
    </form>
  );
}
