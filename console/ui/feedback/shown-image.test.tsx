// Tests of an image whose address gives none.
// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../services/services.fake.tsx';
import { ShownImage } from './shown-image.tsx';

it('[ER-05] a broken image says so in fixed words', async () => {
  const shown = await show(<ShownImage src="/gone.jpg" alt="Gate" />, () => ({ code: 200 }));
  const image = shown.root.querySelector('img');
  expect(image?.alt).toBe('Gate');
  await act(async () => {
    image?.dispatchEvent(new Event('error'));
  });
  expect([image?.alt, image?.lang]).toEqual(['加载失败', 'zh-CN']);
  await shown.close();
});
