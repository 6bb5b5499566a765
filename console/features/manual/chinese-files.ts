// The Chinese pages of the manual and the addresses of their pictures, as one chunk that is loaded when help is opened.
import type { ManualFiles } from './manual.ts';

export const files: ManualFiles = {
  pages: import.meta.glob<string>('../../../docs/manual/zh-CN/*.md', { query: '?raw', import: 'default', eager: true }),
  pictures: import.meta.glob<string>('../../../docs/manual/images/zh-CN/*.webp', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
};
