// Rules: one row each with what it answers to and does, switched on and off in place, tried by a button, edited beside.
import { IconBolt, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import type { AlarmRule } from '@vedette/contract/calls/alarm-rule.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import {
  useAlarmChannels,
  useAlarmRules,
  useRuleActions,
  useSaveRule,
} from '../../features/alarm-rule/alarm-rule.query.ts';
import { draftOf, kindsOf, newRule, type RuleDraft } from '../../features/alarm-rule/rule-draft.ts';
import { RuleForm } from '../../features/alarm-rule/rule-form.tsx';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './centre-view.module.css';
import { type TestOutcome, TestResults } from './test-results.tsx';
import { type AskedRule, useAskedRule } from './use-asked-rule.ts';

export function RulesView({ views }: { readonly views: ReactNode }) {
  const t = useT();
  const rules = useAlarmRules();
  const { data: channels } = useAlarmChannels();
  const { deleteRule, testRule } = useRuleActions();
  const [edited, setEdited] = useState<RuleDraft | null>(null);
  const asked = useAskedRule(rules.data);
  const shown = shownRule(edited, asked);
  const [leaving, setLeaving] = useState<AlarmRule | null>(null);
  const [tested, setTested] = useState<TestOutcome | null>(null);
  const add = (): void => setEdited(newRule(new Intl.DateTimeFormat().resolvedOptions().timeZone));
  const test = (rule: AlarmRule): void =>
    testRule.mutate(rule.ruleId, {
      onSuccess: ({ resultList }) => setTested({ name: rule.name, results: resultList }),
    });
  return (
    <>
      <div className={layout.middle}>
        <PageHeader title={t('screen.alarms')}>
          <Button look="primary" icon={<IconPlus size={16} stroke={2} />} onClick={add}>
            {t('alarmRules.add')}
          </Button>
        </PageHeader>
        {views}
        <div className={style.page}>
          <p className={style.lead}>{t('alarmRules.lead')}</p>
          <List
            query={rules}
            onAdd={add}
            busyId={testRule.isPending ? testRule.variables : null}
            onEdit={(rule) => setEdited(draftOf(rule))}
            onTest={test}
            onDelete={setLeaving}
          />
        </div>
      </div>
      {shown !== null && (
        <RuleForm
          // Not by its version: the list is fetched again before a form that was saved is closed.
          key={shown.rule.ruleId ?? ''}
          rule={shown.rule}
          flood={shown.flood}
          channels={channels?.channelList ?? []}
          onClose={() => {
            setEdited(null);
            asked?.leave();
          }}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          title={t('alarmRules.deleteTitle')}
          detail={t('alarmRules.deleteText', { name: leaving.name })}
          confirmLabel={t('alarmRules.remove')}
          onConfirm={async () => {
            await deleteRule.mutateAsync(leaving.ruleId);
            setEdited(null);
          }}
          onClose={() => setLeaving(null)}
        />
      )}
      <TestResults tested={tested} onClose={() => setTested(null)} />
    </>
  );
}

/** What is edited here goes before what the address asks for. */
function shownRule(edited: RuleDraft | null, asked: AskedRule | null): Omit<AskedRule, 'leave'> | null {
  return edited === null ? asked : { rule: edited, flood: null };
}

interface ListProps {
  readonly query: ReturnType<typeof useAlarmRules>;
  readonly busyId: string | null;
  readonly onAdd: () => void;
  readonly onEdit: (rule: AlarmRule) => void;
  readonly onTest: (rule: AlarmRule) => void;
  readonly onDelete: (rule: AlarmRule) => void;
}

function List({ query, onAdd, ...rest }: ListProps) {
  const t = useT();
  if (query.isPending) return <SkeletonLines label={t('common.loading')} rows={5} rowHeight={56} />;
  if (query.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('alarmRules.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (query.data.length === 0)
    return (
      <StateView
        icon={<IconBolt size={20} stroke={1.5} />}
        title={t('alarmRules.empty')}
        detail={t('alarmRules.emptyDetail')}
        action={<Button onClick={onAdd}>{t('alarmRules.add')}</Button>}
      />
    );
  return (
    <ul className={`${rows.list} ${style.list}`} aria-label={t('alarmRules.list')}>
      {query.data.map((rule) => (
        <RuleRow key={rule.ruleId} rule={rule} {...rest} />
      ))}
    </ul>
  );
}

function RuleRow({
  rule,
  busyId,
  onEdit,
  onTest,
  onDelete,
}: Omit<ListProps, 'query' | 'onAdd'> & { readonly rule: AlarmRule }) {
  const t = useT();
  const format = useTimeFormat();
  const saveRule = useSaveRule((failure) => showToast('error', failureText(t, failure)));
  const kinds = kindsOf(rule).map((kind) => {
    const [what = '', name = ''] = kind.split(':');
    return t.find(what === 'group' ? `alarmGroup_${name}` : `alarmType_${name}`) ?? name;
  });
  const what = kinds.length === 0 ? t('alarmRules.anyKind') : kinds.join(', ');
  const acts = [...new Set(rule.actions.map(({ kind }) => t(`alarmRules.action_${kind}`)))].join(', ');
  const last =
    rule.lastTime === null
      ? t('alarmRules.never')
      : t('alarmRules.last', { time: formatDateTime(rule.lastTime, format, false) });
  return (
    <li className={rows.row} data-rule={rule.name} data-off={rule.isEnabled ? undefined : true}>
      <SwitchField
        label=""
        ariaLabel={t('alarmRules.isEnabled', { name: rule.name })}
        // As it is asked for, until the list is fetched again.
        isOn={saveRule.isPending ? saveRule.variables.isEnabled : rule.isEnabled}
        onToggle={(isEnabled) => saveRule.mutate({ ...draftOf(rule), isEnabled })}
      />
      <div className={`${rows.words} ${style.words}`}>
        <strong className={rows.name}>{rule.name}</strong>
        <span className={style.detail}>
          {what} → {acts}
        </span>
      </div>
      <span className={style.last}>{last}</span>
      <span className={style.tools}>
        <IconButton
          label={t('alarmRules.testOf', { name: rule.name })}
          disabled={busyId === rule.ruleId}
          onClick={() => onTest(rule)}
        >
          <IconPlayerPlay size={17} stroke={1.7} />
        </IconButton>
        <IconButton label={t('alarmRules.editOf', { name: rule.name })} onClick={() => onEdit(rule)}>
          <IconPencil size={17} stroke={1.7} />
        </IconButton>
        <IconButton label={t('alarmRules.deleteOf', { name: rule.name })} onClick={() => onDelete(rule)}>
          <IconTrash size={17} stroke={1.7} />
        </IconButton>
      </span>
    </li>
  );
}
