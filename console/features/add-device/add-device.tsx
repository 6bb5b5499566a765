// Adding a device: look for it by address or RTSP URL, see its first picture, name it, add it.
import type { Candidate } from '@vedette/contract/calls/device.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/button.tsx';
import { Inspector } from '../../ui/inspector.tsx';
import type { SelectOption } from '../../ui/select-field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { type Naming, NamingStep } from './naming-step.tsx';
import { ProbeStep, type ProbeTarget } from './probe-step.tsx';

export interface AddDeviceProps {
  readonly organizations: readonly SelectOption[];
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onAdded: (deviceSerial: string) => void;
}

type Step = { readonly kind: 'find' } | { readonly kind: 'name'; readonly candidate: Candidate };

interface Wizard {
  readonly step: Step;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

const BLANK: ProbeTarget = { target: '', user: '', password: '' };

function useAddDevice(props: AddDeviceProps) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const [wizard, setWizard] = useState<Wizard>({ step: { kind: 'find' }, isBusy: false, failure: null });
  // The device's password lives in this component alone and goes with it.
  const [target, setTarget] = useState<ProbeTarget>(BLANK);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<Step>): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setWizard((before) => ({ ...before, isBusy: true, failure: null }));
    try {
      const step = await work(abort.signal);
      setWizard({ step, isBusy: false, failure: null });
    } catch (failure) {
      const wasCancelled = abort.signal.aborted && failure instanceof NetworkFailure;
      setWizard((before) => ({ ...before, isBusy: false, failure: wasCancelled ? null : failure }));
    }
  }
  return {
    wizard,
    target,
    setTarget,
    back: () => setWizard({ step: { kind: 'find' }, isBusy: false, failure: null }),
    cancel: () => running.current?.abort(),
    probe: () =>
      run(async (signal) => {
        const { candidate } = await caller.ask('device/probe', target, { signal, showError: false });
        return { kind: 'name', candidate };
      }),
    add: (naming: Naming) =>
      run(async (signal) => {
        const { device } = await caller.ask('device/add', { ...target, ...naming }, { signal, showError: false });
        showToast('success', t('add.added', { name: device.deviceName }));
        await fetchResourcesAgain(client);
        props.onAdded(device.deviceSerial);
        return { kind: 'find' };
      }),
  };
}

export function AddDevice(props: AddDeviceProps) {
  const t = useT();
  const flow = useAddDevice(props);
  const { step, isBusy, failure } = flow.wizard;
  const isFinding = step.kind === 'find';
  return (
    <Inspector
      title={`${t('add.title')} · ${t(isFinding ? 'add.stepFind' : 'add.stepCheck')}`}
      closeLabel={t('common.close')}
      onClose={props.onClose}
      footer={
        isFinding ? (
          <>
            <Button type="submit" form="add-device-probe" look="primary" isBusy={isBusy}>
              {t('add.probe')}
            </Button>
            <Button look="quiet" onClick={isBusy ? flow.cancel : props.onClose}>
              {t('common.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button type="submit" form="add-device-name" look="primary" isBusy={isBusy}>
              {t('add.submit')}
            </Button>
            <Button look="quiet" onClick={flow.back} disabled={isBusy}>
              {t('common.back')}
            </Button>
          </>
        )
      }
    >
      {step.kind === 'find' ? (
        <ProbeStep
          formId="add-device-probe"
          target={flow.target}
          onTarget={flow.setTarget}
          isBusy={isBusy}
          failure={failure}
          onSubmit={() => void flow.probe()}
        />
      ) : (
        <NamingStep
          formId="add-device-name"
          candidate={step.candidate}
          organizations={props.organizations}
          organizationId={props.organizationId}
          failure={failure}
          onSubmit={(naming) => void flow.add(naming)}
        />
      )}
    </Inspector>
  );
}
