// The mark of what is shared, for kinds that this version knows, and for those it does not.
import { SHARE_RESOURCE } from '@vedette/contract/enumerations.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ItemIcon } from './share-words.tsx';

it('[EN-04] a kind of shared resource outside its table is shown as unknown', () => {
  expect(renderToStaticMarkup(<ItemIcon isShared={99} />)).toContain('tabler-icon-question-mark');
  for (const isShared of Object.values(SHARE_RESOURCE))
    expect(renderToStaticMarkup(<ItemIcon isShared={isShared} />)).not.toContain('tabler-icon-question-mark');
});
