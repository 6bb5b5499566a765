// Agreeing to the documents of this installation, which open beside (LM-04).
import { Fragment, useId } from 'react';
import { useDocumentUrl } from '../../features/account/server-offer.query.ts';
import { useT } from '../../language/use-t.ts';
import style from './register-screen.module.css';

export interface AgreeBoxProps {
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly isTried: boolean;
}

/** Stand where the names of the documents go: they are links, which a phrase can't hold. */
const MARKS = { agreement: '{1}', privacy: '{2}' } as const;

export function AgreeBox({ isOn, onToggle, isTried }: AgreeBoxProps) {
  const t = useT();
  const id = useId();
  const urlOf = useDocumentUrl();
  const parts = t('register.agree', MARKS).split(/(\{1\}|\{2\})/);
  const link = (kind: 'agreement' | 'privacy') => (
    <a href={urlOf(kind)} target="_blank" rel="noreferrer">
      {t(kind === 'agreement' ? 'personal.agreementDoc' : 'personal.privacyDoc')}
    </a>
  );
  return (
    <div className={style.agree}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        aria-describedby={`${id}-problem`}
      />
      <label htmlFor={id}>
        {parts.map((part, at) => (
          <Fragment key={`${at} ${part}`}>
            {part === MARKS.agreement ? link('agreement') : part === MARKS.privacy ? link('privacy') : part}
          </Fragment>
        ))}
      </label>
      <span id={`${id}-problem`} className={style.problem} role={isTried && !isOn ? 'alert' : undefined}>
        {isTried && !isOn ? t('register.agreeFirst') : ''}
      </span>
    </div>
  );
}
