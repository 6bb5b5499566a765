// CDN live: the streams on delivery networks, and for the operator those networks.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useAuth } from '../../../session/auth-store.ts';
import style from '../../../ui/layout/titled-rows.module.css';
import { LivesPart } from './lives-part.tsx';
import { ProvidersPart } from './providers-part.tsx';

export function CdnLiveSection() {
  const isOperator = useAuth((auth) => auth.userType === USER_TYPE.super);
  return (
    <div className={style.parts}>
      <LivesPart />
      {isOperator && <ProvidersPart />}
    </div>
  );
}
