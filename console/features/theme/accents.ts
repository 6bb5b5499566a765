// The colours that the theme dialog suggests; null is the console's own.
import type { PlainKey } from '@vedette/phrases/pack.ts';

export const ACCENTS: readonly { readonly hex: string | null; readonly name: PlainKey }[] = [
  { hex: null, name: 'theme.own' },
  { hex: '#2f80ed', name: 'theme.blue' },
  { hex: '#12a5b8', name: 'theme.teal' },
  { hex: '#27a35f', name: 'theme.green' },
  { hex: '#d68a00', name: 'theme.amber' },
  { hex: '#e2633b', name: 'theme.rust' },
  { hex: '#d6457f', name: 'theme.rose' },
  { hex: '#8f5bd6', name: 'theme.violet' },
];
