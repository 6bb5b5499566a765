// Cloud storage: the object stores of the installation, and the cameras that copy their recordings into them.
import { SectionPage } from '../settings/section-page.tsx';
import { PlansPart } from './plans-part.tsx';
import { StoresPart } from './stores-part.tsx';

export function CloudPanel() {
  return (
    <SectionPage>
      <StoresPart />
      <PlansPart />
    </SectionPage>
  );
}
