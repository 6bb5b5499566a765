// Search field of the manual; below it what it found, or else the contents.
import { IconSearch, IconX } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useClientState } from '../../session/client-state.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { CHAPTERS, type ManualPlace } from './chapters.ts';
import type { Manual } from './manual.ts';
import style from './manual-finder.module.css';
import { type FollowPlace, ManualLink } from './manual-link.tsx';
import { sectionsOf } from './manual-search.ts';
import { searchSections } from './section-search.ts';

export interface ManualSearchFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function ManualSearchField({ value, onValue }: ManualSearchFieldProps) {
  const t = useT();
  return (
    <div className={style.search} role="search">
      <TextField
        aria-label={t('manual.search')}
        placeholder={t('manual.search')}
        value={value}
        onValue={onValue}
        maxLength={64}
        spellCheck={false}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onValue('');
        }}
        leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
        rightSlot={
          value !== '' && (
            <IconButton label={t('common.clearSearch')} size="small" onClick={() => onValue('')}>
              <IconX size={14} stroke={2} />
            </IconButton>
          )
        }
      />
    </div>
  );
}

/** Files that the server offers beside the console; they name the product. */
const DOCUMENTATION = '/docs/index.html';

interface ListProps {
  readonly manual: Manual;
  readonly onFollow?: FollowPlace | undefined;
}

export function ManualContents({ manual, onFollow, shown }: ListProps & { readonly shown: ManualPlace | null }) {
  const t = useT();
  const isNoBrand = useClientState((state) => state.environment.isNoBrandFlag);
  return (
    <nav className={style.list} aria-label={t('manual.contents')}>
      {CHAPTERS.map(({ title, pages }) => (
        <section key={title}>
          <h2 className={style.chapter}>{t(title)}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page}>
                <ManualLink
                  place={{ page }}
                  onFollow={onFollow}
                  className={style.page}
                  isCurrent={page === shown?.page}
                >
                  {manual.pages.get(page)?.title ?? page}
                </ManualLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {!isNoBrand && (
        <section>
          <a className={style.page} href={DOCUMENTATION} target="_blank" rel="noreferrer" hrefLang="en">
            {t('manual.documentation')}
          </a>
        </section>
      )}
    </nav>
  );
}

export function ManualResults({ manual, onFollow, question }: ListProps & { readonly question: string }) {
  const t = useT();
  const sections = useMemo(() => sectionsOf(manual), [manual]);
  const asked = useDeferredValue(question);
  const found = useMemo(() => searchSections(sections, asked), [sections, asked]);
  return (
    <div className={style.list}>
      <span className="visually-hidden" role="status">
        {t.plural('manual.results', found.length)}
      </span>
      {found.length === 0 ? (
        <StateView
          isSmall
          title={t('manual.noResults', { keyWord: asked.trim() })}
          detail={t('manual.noResultsDetail')}
        />
      ) : (
        <ul aria-label={t('manual.resultList')}>
          {found.map(({ page, heading, title, pageTitle, excerpt }) => (
            <li key={`${page}#${heading ?? ''}`}>
              <ManualLink place={{ page, heading }} onFollow={onFollow} className={style.result}>
                <span className={style.resultTitle}>{title}</span>
                {heading !== undefined && <span className={style.resultPage}>{pageTitle}</span>}
                <span className={style.excerpt}>{excerpt}</span>
              </ManualLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
