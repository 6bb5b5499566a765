// The fields of a bucket: where it is, and the keys that may use it.
import type { ObjectStoreInfo } from '@vedette/contract/calls/cloud.ts';
import { useT } from '../../../language/use-t.ts';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';

export type BucketDraft = Pick<
  ObjectStoreInfo,
  'endpoint' | 'region' | 'bucket' | 'isPathStyle' | 'prefix' | 'accessKey'
> & { readonly secretKey: string };

export const NEW_BUCKET: BucketDraft = {
  endpoint: 'https://',
  region: '',
  bucket: '',
  isPathStyle: true,
  prefix: '',
  accessKey: '',
  secretKey: '',
};

export interface BucketFieldsProps {
  readonly draft: BucketDraft;
  readonly onDraft: (part: Partial<BucketDraft>) => void;
  /** Its secret is kept. */
  readonly isKnown: boolean;
}

export function BucketFields({ draft, onDraft, isKnown }: BucketFieldsProps) {
  const t = useT();
  const text = (name: 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKey') => ({
    value: draft[name],
    onValue: (value: string) => onDraft({ [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <>
      <TextField label={t('cloud.endpoint')} hint={t('cloud.endpointHint')} {...text('endpoint')} />
      <TextField label={t('cloud.region')} {...text('region')} />
      <TextField label={t('cloud.bucket')} {...text('bucket')} />
      <SwitchField
        label={t('cloud.pathStyle')}
        isOn={draft.isPathStyle}
        onToggle={(isPathStyle) => onDraft({ isPathStyle })}
      />
      <TextField label={t('cloud.prefix')} hint={t('cloud.prefixHint')} {...text('prefix')} />
      <TextField label={t('cloud.accessKey')} {...text('accessKey')} />
      <TextField
        label={t('cloud.secretKey')}
        type="password"
        autoComplete="new-password"
        hint={isKnown ? t('cloud.secretKept') : undefined}
        value={draft.secretKey}
        onValue={(secretKey) => onDraft({ secretKey })}
      />
    </>
  );
}
