// The second step of adding one device, whichever tab led to it: its first snapshot, a name, an organisation.
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { NamingStep } from './naming-step.tsx';
import type { ProbeTarget } from './probe-step.tsx';
import type { useOneDevice } from './use-one-device.ts';
import { WizardFooter } from './wizard-footer.tsx';

export interface CheckedDeviceProps extends AddDeviceTabProps {
  readonly flow: ReturnType<typeof useOneDevice>;
  readonly target: ProbeTarget;
}

export function CheckedDevice({ flow, target, organizations, organizationId }: CheckedDeviceProps) {
  const t = useT();
  if (flow.candidate === null) return null;
  return (
    <>
      <NamingStep
        formId="add-device-name"
        candidate={flow.candidate}
        organizations={organizations}
        organizationId={organizationId}
        failure={flow.failure}
        onSubmit={(naming) => void flow.add(target, naming)}
      />
      <WizardFooter>
        <Button type="submit" form="add-device-name" look="primary" isBusy={flow.isBusy}>
          {t('add.submit')}
        </Button>
        <Button look="quiet" onClick={flow.back} disabled={flow.isBusy}>
          {t('common.back')}
        </Button>
      </WizardFooter>
    </>
  );
}
