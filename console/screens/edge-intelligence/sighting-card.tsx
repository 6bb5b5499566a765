// One found object: its best picture with class, camera and time.
import type { Sighting } from '@vedette/contract/calls/sighting.ts';
import { useT } from '../../language/use-t.ts';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { Skeleton } from '../../ui/feedback/state-view.tsx';
import { PictureCard } from './picture-card.tsx';
import { useSightingPicture } from './sighting.query.ts';

export function SightingCard({ sighting }: { readonly sighting: Sighting }) {
  const t = useT();
  const { objectClass, channelName, startTime, bestTime, regionList } = sighting;
  const url = useSightingPicture(sighting);
  const image = url === undefined ? <Skeleton height={48} /> : url && <ShownImage src={url} alt="" draggable={false} />;
  return (
    <PictureCard
      camera={sighting}
      picture={image}
      what={t(`edge.object.${objectClass}`)}
      where={[channelName, ...regionList].join(' · ')}
      time={bestTime}
      from={startTime}
    />
  );
}
