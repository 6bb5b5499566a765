// /help: the manual as pages of their own, with contents, search and printing.
import { IconPrinter } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { type ManualPlace, readPageName } from '../../features/manual/chapters.ts';
import { ManualArticle } from '../../features/manual/manual-article.tsx';
import { ManualContents, ManualResults, ManualSearchField } from '../../features/manual/manual-finder.tsx';
import { ManualState } from '../../features/manual/manual-state.tsx';
import type { Manual } from '../../features/manual/manual.ts';
import { useManual } from '../../features/manual/manual.query.ts';
import { useT } from '../../language/use-t.ts';
import { manualAddress, PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import style from './help-screen.module.css';

/** Null at /help itself; undefined where the address names no page. */
function useShownPlace(): ManualPlace | null | undefined {
  const { page } = useParams();
  const { hash } = useLocation();
  return useMemo(() => {
    if (page === undefined) return null;
    const name = readPageName(page);
    return name === undefined ? undefined : { page: name, heading: hash === '' ? undefined : hash.slice(1) };
  }, [page, hash]);
}

export function HelpScreen() {
  const t = useT();
  const navigate = useNavigate();
  const place = useShownPlace();
  const [question, setQuestion] = useState('');
  const { data: manual, isError, refetch } = useManual();
  const follow = (next: ManualPlace): void => {
    setQuestion('');
    void navigate(manualAddress(next));
  };
  const title = place ? manual?.pages.get(place.page)?.title : undefined;
  return (
    <main className={style.screen}>
      <title>{`${title ?? t('manual.title')} · ${t('common.appName')}`}</title>
      <div className={style.head}>
        <PageHeader title={t('manual.title')}>
          <Button look="quiet" icon={<IconPrinter size={16} stroke={1.7} />} onClick={() => window.print()}>
            {t('manual.print')}
          </Button>
        </PageHeader>
      </div>
      {manual === undefined ? (
        <ManualState hasFailed={isError} onRetry={() => void refetch()} />
      ) : (
        <Reading manual={manual} place={place} question={question} onQuestion={setQuestion} onFollow={follow} />
      )}
    </main>
  );
}

interface ReadingProps {
  readonly manual: Manual;
  readonly place: ManualPlace | null | undefined;
  readonly question: string;
  readonly onQuestion: (question: string) => void;
  readonly onFollow: (place: ManualPlace) => void;
}

function Reading({ manual, place, question, onQuestion, onFollow }: ReadingProps) {
  const isPhone = useIsPhone();
  const isSearching = question.trim() !== '';
  // A phone shows either the contents or a page.
  const hasList = !isPhone || isSearching || place === null;
  return (
    <div className={style.reading}>
      <div className={style.side}>
        <ManualSearchField value={question} onValue={onQuestion} />
        {hasList &&
          (isSearching ? (
            <ManualResults manual={manual} question={question} onFollow={onFollow} />
          ) : (
            <ManualContents manual={manual} shown={place ?? null} onFollow={onFollow} />
          ))}
      </div>
      {!(isPhone && hasList) && <ShownPage manual={manual} place={place} onFollow={onFollow} />}
    </div>
  );
}

function ShownPage({ manual, place, onFollow }: Pick<ReadingProps, 'manual' | 'place' | 'onFollow'>) {
  const t = useT();
  const navigate = useNavigate();
  const shown = place === null ? { page: 'first-start' as const } : place;
  const page = shown && manual.pages.get(shown.page);
  if (shown === undefined || page === undefined) {
    return (
      <StateView
        title={t('manual.noPage')}
        action={<Button onClick={() => void navigate(PATHS.help)}>{t('manual.contents')}</Button>}
      />
    );
  }
  return (
    <div className={style.page}>
      <ManualArticle manual={manual} page={page} place={shown} onFollow={onFollow} />
    </div>
  );
}
