// What the address of the inbox asks for: to be shown as it stands, and to be acted on as it was asked last, which the address follows a moment later.
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { type AlarmFilter, readFilter, writeFilter } from '../../features/alarm/alarm-filter.ts';

export interface InboxAddress {
  /** As it is shown. */
  readonly filter: AlarmFilter;
  /** As it was asked last: the next key may come before that is shown. */
  readonly newest: () => AlarmFilter;
  readonly change: (part: Partial<AlarmFilter>) => void;
}

interface Asked {
  readonly no: number;
  readonly filter: AlarmFilter;
}

export function useInboxAddress(): InboxAddress {
  const [address, setAddress] = useSearchParams();
  const location = useLocation();
  const isPop = useNavigationType() === 'POP';
  const filter = useMemo(() => readFilter(address), [address]);
  const asked = useRef<Asked | null>(null);
  const count = useRef(0);
  useLayoutEffect(() => {
    const no = askedNo(location.state);
    // An earlier one that was on its way leaves the last one asked.
    if (isPop || no === null || no >= (asked.current?.no ?? 0)) asked.current = null;
  }, [location, isPop]);
  const newest = (): AlarmFilter => asked.current?.filter ?? filter;
  const change = (part: Partial<AlarmFilter>): void => {
    count.current += 1;
    asked.current = { no: count.current, filter: { ...newest(), ...part } };
    setAddress(writeFilter(asked.current.filter), { replace: true, state: { asked: count.current } });
  };
  return { filter, newest, change };
}

function askedNo(state: unknown): number | null {
  return typeof state === 'object' && state !== null && 'asked' in state && typeof state.asked === 'number'
    ? state.asked
    : null;
}
