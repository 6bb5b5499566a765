// The captcha (VA-07): one box to tick that runs a proof of work, or an external service's own.
import { IconCheck, IconShieldCheck } from '@tabler/icons-react';
import { captchaProblem } from '@vedette/rules/validation/captcha.ts';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';
import { renderExternalCaptcha } from './external-captcha.ts';
import style from './captcha.module.css';
import { solveProofOfWork } from './proof-of-work.ts';

export interface CaptchaProps {
  /** What the check gave; empty before, and after it was used up. */
  readonly value: string;
  readonly onValue: (captcha: string) => void;
  readonly isTried: boolean;
  /** Code of the server's last answer: 1014 says that it refused the check. */
  readonly lastCode: number | null;
}

/** Whether a check is configured for this kind of console. */
export function useIsCaptcha(): boolean {
  const { mode } = useServices();
  return useClientState((state) => state.environment.isCaptcha) && mode === 'web';
}

export function Captcha({ value, onValue, isTried, lastCode }: CaptchaProps) {
  const t = useT();
  const isCaptcha = useIsCaptcha();
  const path = useClientState((state) => state.environment.captchaPath);
  if (!isCaptcha) return null;
  const problem = captchaProblem({ isCaptcha, clientType: 'web', captcha: value, lastCode });
  const isShown = problem === 'captchaFailed' || (isTried && problem !== null);
  return (
    <div>
      {path === '' ? <OwnCheck value={value} onValue={onValue} /> : <OutsideCheck onValue={onValue} />}
      {isShown && (
        <p className={style.problem} role="alert">
          {t(problem === 'captchaFailed' ? 'robot.failed' : 'robot.first')}
        </p>
      )}
    </div>
  );
}

type Step = 'idle' | 'working' | 'failed';

function OwnCheck({ value, onValue }: Pick<CaptchaProps, 'value' | 'onValue'>) {
  const t = useT();
  const { caller } = useServices();
  const [step, setStep] = useState<Step>('idle');
  const gone = useRef<AbortController | null>(null);
  useEffect(() => () => gone.current?.abort(), []);
  const isDone = value !== '';
  const work = async (): Promise<void> => {
    if (isDone || step === 'working') return;
    const controller = new AbortController();
    gone.current = controller;
    setStep('working');
    try {
      const solved = await solveProofOfWork(caller, controller.signal);
      if (controller.signal.aborted) return;
      setStep('idle');
      onValue(solved);
    } catch (failure) {
      if (controller.signal.aborted) return;
      console.warn('check not solved', failure);
      setStep('failed');
    }
  };
  const word = isDone ? 'robot.done' : step === 'working' ? 'robot.working' : 'robot.idle';
  return (
    <>
      <button
        type="button"
        role="checkbox"
        aria-checked={isDone}
        aria-busy={step === 'working' || undefined}
        className={style.check}
        data-step={isDone ? 'done' : step}
        onClick={() => void work()}
      >
        <span className={style.box} aria-hidden="true">
          {isDone && <IconCheck size={14} stroke={3} />}
        </span>
        <span className={style.word}>{t(word)}</span>
        <IconShieldCheck size={18} stroke={1.5} aria-hidden="true" className={style.mark} />
      </button>
      {step === 'failed' && (
        <p className={style.problem} role="alert">
          {t('robot.unavailable')}
        </p>
      )}
    </>
  );
}

function OutsideCheck({ onValue }: Pick<CaptchaProps, 'onValue'>) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const url = useClientState((state) => state.environment.captchaPath);
  const appId = useClientState((state) => state.environment.captchaAppId);
  const [hasFailed, setFailed] = useState(false);
  const told = useRef(onValue);
  useEffect(() => {
    told.current = onValue;
  }, [onValue]);
  useEffect(() => {
    if (place.current === null) return;
    renderExternalCaptcha(place.current, { url, appId, onToken: (token) => told.current(token) }).catch(
      (failure: unknown) => {
        console.warn('outside check', failure);
        setFailed(true);
      },
    );
  }, [url, appId]);
  return (
    <>
      <div ref={place} className={style.outside} />
      {hasFailed && (
        <p className={style.problem} role="alert">
          {t('robot.unavailable')}
        </p>
      )}
    </>
  );
}
