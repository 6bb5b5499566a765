// Gives the kit our tokens, the nonce of the page and the theme; the only place where the kit is set up.
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import type { ReactNode } from 'react';
import './kit.css';
import './tokens.css';
import './base.css';
import { shownTheme } from './theme-choice.ts';

// The kit wants ten shades of its primary colour; every use of them is replaced by our tokens below.
const shades = Array.from({ length: 10 }, () => '#8ba5ff') as unknown as MantineColorsTuple;

const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  primaryColor: 'accent',
  colors: { accent: shades },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: 'var(--radius-s)', md: 'var(--radius)', lg: 'var(--radius-l)', xl: '16px' },
  fontSizes: { xs: 'var(--text-xs)', sm: 'var(--text-m)', md: 'var(--text-m)', lg: 'var(--text-l)', xl: '20px' },
  cursorType: 'default',
  focusRing: 'auto',
  respectReducedMotion: true,
});

const variables = {
  '--mantine-color-body': 'var(--surface-0)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dim)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-error': 'var(--offline-text)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface-2)',
  '--mantine-color-default-hover': 'var(--surface-3)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--surface-2)',
  '--mantine-color-disabled-color': 'var(--text-faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent-text)',
};
const resolver: CSSVariablesResolver = () => ({ variables: {}, dark: variables, light: variables });

// The document attribute is ours (theme-choice.ts): the kit only reads it once and never re-renders on a switch.
const schemeManager: MantineColorSchemeManager = {
  get: () => shownTheme(),
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

function pageNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? meta?.content ?? '';
}

export function UiProvider({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      colorSchemeManager={schemeManager}
      defaultColorScheme="dark"
      getStyleNonce={pageNonce}
      withStaticClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
