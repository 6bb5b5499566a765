// The operator's quotas: of each user type, and of single accounts where these differ.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { QUOTA_USER_TYPES, type QuotaUserType } from '@vedette/contract/quotas.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../../ui/feedback/state-view.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { QuotaForm } from './quota-form.tsx';
import { type QuotaHolder, useAccounts, useQuotas } from './quota.query.ts';
import style from './quotas.module.css';

/** A user type, or the id of an account. */
function holderOf(chosen: string): QuotaHolder {
  const userType = QUOTA_USER_TYPES.find((one) => one === chosen);
  return userType === undefined ? { userId: chosen } : { userType };
}

export function QuotasSection() {
  const t = useT();
  const [chosen, setChosen] = useState<string>('ordinary' satisfies QuotaUserType);
  const accounts = useAccounts().data?.userList.filter(({ userType }) => userType !== USER_TYPE.sub) ?? [];
  const holder = holderOf(chosen);
  const { data, error, isFetching, refetch } = useQuotas(holder);
  const retry = <Button onClick={() => void refetch()}>{t('common.retry')}</Button>;
  return (
    <div className={style.section}>
      <p className={style.lead}>{t('quotas.lead')}</p>
      <div className={style.holder}>
        <SelectField
          label={t('quotas.holder')}
          value={chosen}
          options={[
            ...QUOTA_USER_TYPES.map((value) => ({ value, label: t(`quotas.type.${value}`) })),
            ...accounts.map(({ userId, userName }) => ({ value: userId, label: userName })),
          ]}
          onValue={setChosen}
          isSearchable
          nothingFound={t('quotas.noAccount')}
        />
      </div>
      {data !== undefined && <QuotaForm key={chosen} holder={holder} quotas={data} />}
      {data === undefined && (error === null || isFetching) && (
        <SkeletonLines label={t('common.loading')} rows={10} rowHeight={40} />
      )}
      {data === undefined && error !== null && !isFetching && (
        <StateView role="alert" title={t('quotas.error')} detail={failureText(t, error)} action={retry} />
      )}
    </div>
  );
}
