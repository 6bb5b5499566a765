// The dialogs of orgManage: a new organisation, another place for one or for devices, and what becomes of the content of one that goes.
import type { Organization } from '@vedette/contract/entities.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { type FormEvent, useId, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { DangerDialog } from '../../features/confirm/danger-dialog.tsx';
import { useFloorPlans } from '../../features/floor-plan/floor-plan.query.ts';
import { ROOT_ORGANIZATION, useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { isBelow, type OrgChanges, type OrgFacts, totalsBelow } from './org-changes.ts';
import style from './org-manage-screen.module.css';

export type OrgDialogKind = 'add' | 'move' | 'delete' | 'moveDevices';

export interface OrgDialogsProps {
  readonly kind: OrgDialogKind;
  /** undefined is the root. */
  readonly organization: Organization | undefined;
  /** Of `moveDevices`. */
  readonly serials: readonly string[];
  readonly facts: OrgFacts;
  readonly changes: OrgChanges;
  /** Where the root is nobody's place, as for sub-accounts. */
  readonly isOwner: boolean;
  readonly onClose: () => void;
  readonly onDone: (organizationId: string) => void;
}

export function OrgDialogs(props: OrgDialogsProps) {
  if (props.kind === 'add') return <AddDialog {...props} />;
  if (props.kind === 'delete') return <DeleteDialog {...props} />;
  return <MoveDialog {...props} />;
}

interface Attempt {
  readonly isBusy: boolean;
  readonly failure: unknown;
}

function useAttempt() {
  const [state, setState] = useState<Attempt>({ isBusy: false, failure: null });
  return {
    ...state,
    run: async (work: () => Promise<void>): Promise<void> => {
      setState({ isBusy: true, failure: null });
      try {
        await work();
      } catch (failure) {
        setState({ isBusy: false, failure });
      }
    },
  };
}

function AddDialog({ organization, changes, onClose, onDone }: OrgDialogsProps) {
  const t = useT();
  const form = useId();
  const [name, setName] = useState('');
  const [isAsked, setAsked] = useState(false);
  const attempt = useAttempt();
  const problem = deviceNameProblem(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    if (problem !== null) return;
    void attempt.run(async () => onDone(await changes.add(name, organization?.organizationId ?? ROOT_ORGANIZATION)));
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={organization === undefined ? t('org.addTop') : t('org.addBelow', { name: organization.organizationName })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" form={form} isBusy={attempt.isBusy}>
            {t('org.addSubmit')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label={t('org.name')}
          value={name}
          onValue={setName}
          maxLength={128}
          autoFocus
          error={isAsked && problem !== null ? t('org.badName') : null}
        />
      </form>
      {attempt.failure !== null && <Notice tone="error">{failureText(t, attempt.failure)}</Notice>}
    </Dialog>
  );
}

/** Where it may go: not to where it is, nor under itself. */
function usePlaces(props: OrgDialogsProps) {
  const { facts } = props;
  return useOrganizationOptions().filter(({ value }) => {
    if (value === ROOT_ORGANIZATION) return mayGoToRoot(props);
    const target = facts.byId.get(value);
    return target !== undefined && mayGoTo(target, props);
  });
}

function mayGoToRoot({ kind, organization, isOwner }: OrgDialogsProps): boolean {
  if (!isOwner || kind === 'delete') return isOwner;
  if (kind === 'moveDevices') return ownId(organization) !== ROOT_ORGANIZATION;
  return organization?.parentOrgId !== ROOT_ORGANIZATION;
}

function ownId(organization: Organization | undefined): string {
  return organization?.organizationId ?? ROOT_ORGANIZATION;
}

function mayGoTo(target: Organization, { kind, organization, facts }: OrgDialogsProps): boolean {
  const own = ownId(organization);
  const right = kind === 'moveDevices' ? 'DeviceManage' : 'OrganizationManage';
  if (!target.permission.includes(right) || target.organizationId === own) return false;
  if (kind === 'moveDevices') return true;
  if (kind === 'move' && target.organizationId === organization?.parentOrgId) return false;
  return !isBelow(facts.byId, target, own);
}

function MoveDialog(props: OrgDialogsProps) {
  const { kind, organization, serials, changes, onClose, onDone } = props;
  const t = useT();
  const [target, setTarget] = useState<string | null>(null);
  const attempt = useAttempt();
  const places = usePlaces(props);
  const move = async (): Promise<void> => {
    if (target === null) return;
    if (kind === 'moveDevices') await changes.moveDevices(serials, target);
    else await changes.move(organization?.organizationId ?? '', target);
    onDone(
      kind === 'moveDevices'
        ? (organization?.organizationId ?? ROOT_ORGANIZATION)
        : (organization?.organizationId ?? ''),
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        kind === 'moveDevices'
          ? t.plural('org.moveDevicesTitle', serials.length)
          : t('org.moveTitle', { name: organization?.organizationName ?? '' })
      }
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            isBusy={attempt.isBusy}
            disabled={target === null}
            onClick={() => void attempt.run(move)}
          >
            {t('org.moveSubmit')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('org.moveTo')}
        value={target}
        options={places}
        onValue={setTarget}
        isSearchable
        nothingFound={t('org.noPlace')}
      />
      {kind === 'move' && <p>{t('org.moveDetail')}</p>}
      {attempt.failure !== null && <Notice tone="error">{failureText(t, attempt.failure)}</Notice>}
    </Dialog>
  );
}

/** Floor plans do not move with the content: they are deleted with their organisation. */
function usePlansOf(organization: Organization | undefined): { readonly total: number; readonly isPending: boolean } {
  const { data = [], isPending } = useFloorPlans();
  return { total: data.filter((plan) => plan.organizationId === organization?.organizationId).length, isPending };
}

function DeletedPlans({ total }: { readonly total: number }) {
  const t = useT();
  return total > 0 && <p>{t.plural('org.deletePlans', total)}</p>;
}

function DeleteDialog(props: OrgDialogsProps) {
  const { organization, facts, changes, onClose, onDone } = props;
  const t = useT();
  const attempt = useAttempt();
  const plans = usePlansOf(organization);
  const places = usePlaces(props);
  const parent = organization?.parentOrgId ?? ROOT_ORGANIZATION;
  const [target, setTarget] = useState<string | null>(
    places.some(({ value }) => value === parent) ? parent : (places[0]?.value ?? null),
  );
  if (organization === undefined) return null;
  const { organizationTotal, deviceTotal } = totalsBelow(facts, organization.organizationId);
  const isEmpty = organizationTotal + deviceTotal === 0;
  const remove = async (): Promise<void> => {
    await changes.remove(organization.organizationId, isEmpty ? undefined : (target ?? undefined));
    onDone(isEmpty ? parent : (target ?? parent));
  };
  return (
    <DangerDialog
      title={t('org.deleteTitle', { name: organization.organizationName })}
      confirmLabel={t('org.deleteConfirm')}
      keepLabel={t('org.deleteKeep')}
      isBusy={attempt.isBusy}
      isDisabled={plans.isPending || (!isEmpty && target === null)}
      onConfirm={() => void attempt.run(remove)}
      onClose={onClose}
    >
      <div className={style.dialog}>
        {isEmpty ? (
          <p>{t('org.deleteEmpty')}</p>
        ) : (
          <>
            <p>
              {t('org.deleteContent', {
                organizations: t.plural('org.total', organizationTotal),
                devices: t.plural('devices.total', deviceTotal),
              })}
            </p>
            <SelectField label={t('org.contentTo')} value={target} options={places} onValue={setTarget} isSearchable />
          </>
        )}
        <DeletedPlans total={plans.total} />
      </div>
      {attempt.failure !== null && <Notice tone="error">{failureText(t, attempt.failure)}</Notice>}
    </DangerDialog>
  );
}
