// Puts the channel that the address names on the wall, once: the address is clean again afterwards.
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { placeNext } from '../../features/live/wall/wall-model.ts';
import { changeWall } from '../../features/live/wall/wall-store.ts';
import { readChannelPlace } from '../../navigation/paths.ts';

export function useAskedChannel(): void {
  const [address, setAddress] = useSearchParams();
  useEffect(() => {
    const asked = readChannelPlace(address);
    if (asked === null) return;
    changeWall((wall) => placeNext(wall, asked));
    setAddress({}, { replace: true });
  }, [address, setAddress]);
}
