// Tab "by address": probe an address or RTSP URL, see its first snapshot, name it, add it.
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckedDevice } from './checked-device.tsx';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { ProbeStep, type ProbeTarget } from './probe-step.tsx';
import { useOneDevice } from './use-one-device.ts';
import { WizardFooter } from './wizard-footer.tsx';

const BLANK: ProbeTarget = { target: '', user: '', password: '' };

export function AddByAddressTab(props: AddDeviceTabProps) {
  const t = useT();
  const flow = useOneDevice(props.onAdded);
  // The device's password lives in this component alone and goes with it.
  const [target, setTarget] = useState<ProbeTarget>(BLANK);
  const { candidate, isBusy, failure } = flow;
  if (candidate !== null) return <CheckedDevice {...props} flow={flow} target={target} />;
  return (
    <>
      <ProbeStep
        formId="add-device-probe"
        target={target}
        onTarget={setTarget}
        isBusy={isBusy}
        failure={failure}
        onSubmit={() => void flow.probe(target)}
      />
      <WizardFooter>
        <Button type="submit" form="add-device-probe" look="primary" isBusy={isBusy}>
          {t('add.probe')}
        </Button>
        <Button look="quiet" onClick={isBusy ? flow.cancel : props.onClose}>
          {t('common.cancel')}
        </Button>
      </WizardFooter>
    </>
  );
}
