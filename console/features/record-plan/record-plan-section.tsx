// The recording plan in the device inspector: what is recorded when, and for how long it is kept.
import type { Channel } from '@vedette/contract/entities.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Section } from '../../ui/layout/facts.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { type PlanChannel, useRecordPlan } from './record-plan.query.ts';
import { RecordPlanForm } from './record-plan-form.tsx';

export interface RecordPlanSectionProps {
  readonly deviceSerial: string;
  /** Of the device, those the caller sees. */
  readonly channels: readonly Channel[];
}

export function RecordPlanSection({ deviceSerial, channels }: RecordPlanSectionProps) {
  const t = useT();
  const [chosen, setChosen] = useState<number | null>(null);
  const channel = channels.find(({ channelNo }) => channelNo === chosen) ?? channels[0];
  if (channel === undefined) return null;
  const options = channels.map(({ channelNo, channelName }) => ({ value: String(channelNo), label: channelName }));
  return (
    <Section title={t('recordPlan.title')}>
      {channels.length > 1 && (
        <SelectField
          label={t('recordPlan.channel')}
          value={String(channel.channelNo)}
          options={options}
          isSearchable={options.length > 8}
          onValue={(value) => setChosen(Number(value))}
        />
      )}
      <ChannelPlan
        key={channel.channelNo}
        channel={{ deviceSerial, channelNo: channel.channelNo }}
        name={channel.channelName}
        streams={channel.streamNum}
      />
    </Section>
  );
}

function ChannelPlan(props: { readonly channel: PlanChannel; readonly name: string; readonly streams: number }) {
  const t = useT();
  const { data: plan, isPending, error, refetch } = useRecordPlan(props.channel);
  if (plan !== undefined) return <RecordPlanForm {...props} plan={plan} />;
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={7} rowHeight={24} />;
  return (
    <StateView
      isSmall
      role="alert"
      title={t('recordPlan.failed')}
      detail={failureText(t, error)}
      action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
    />
  );
}
