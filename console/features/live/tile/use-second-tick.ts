// Renders again once a second, for what tells an age.
import { useEffect, useState } from 'react';

/** Does nothing while `isOn` is false. */
export function useSecondTick(isOn: boolean): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, [isOn]);
}
