// The manual beside a screen: what is watched or edited there goes on while one reads.
import { IconArrowLeft, IconExternalLink, IconList } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { manualAddress } from '../../navigation/paths.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import type { ManualPlace } from './chapters.ts';
import { ManualArticle } from './manual-article.tsx';
import { ManualContents, ManualResults, ManualSearchField } from './manual-finder.tsx';
import { backInManual, closeManual, followManual, useManualPanel } from './manual-panel-store.ts';
import style from './manual-panel.module.css';
import { ManualState } from './manual-state.tsx';
import { useManual } from './manual.query.ts';

export function ManualPanel() {
  const place = useManualPanel(({ trail }) => trail.at(-1));
  return place === undefined ? null : <OpenPanel place={place} />;
}

function OpenPanel({ place }: { readonly place: ManualPlace }) {
  const t = useT();
  const navigate = useNavigate();
  const canGoBack = useManualPanel(({ trail }) => trail.length > 1);
  const [question, setQuestion] = useState('');
  const [hasContents, setContents] = useState(false);
  const showPage = (): void => {
    setQuestion('');
    setContents(false);
  };
  const follow = (next: ManualPlace): void => {
    showPage();
    followManual(next);
  };
  const back = (): void => {
    if (question === '' && !hasContents) backInManual();
    showPage();
  };
  const openAsPage = (): void => {
    closeManual();
    void navigate(manualAddress(place));
  };
  return (
    <Inspector title={t('manual.title')} closeLabel={t('common.close')} onClose={closeManual} isFocused>
      <div className={style.bar}>
        <IconButton
          label={t('common.back')}
          disabled={!canGoBack && question === '' && !hasContents}
          onClick={back}
          tipSide="bottom"
        >
          <IconArrowLeft size={17} stroke={1.7} />
        </IconButton>
        <IconButton
          label={t('manual.contents')}
          isPressed={hasContents}
          onClick={() => setContents(!hasContents)}
          tipSide="bottom"
        >
          <IconList size={17} stroke={1.7} />
        </IconButton>
        <ManualSearchField value={question} onValue={setQuestion} />
        <IconButton label={t('manual.asPage')} onClick={openAsPage} tipSide="bottom">
          <IconExternalLink size={17} stroke={1.7} />
        </IconButton>
      </div>
      <PanelContent place={place} question={question} hasContents={hasContents} onFollow={follow} />
    </Inspector>
  );
}

interface PanelContentProps {
  readonly place: ManualPlace;
  readonly question: string;
  readonly hasContents: boolean;
  readonly onFollow: (place: ManualPlace) => void;
}

function PanelContent({ place, question, hasContents, onFollow }: PanelContentProps) {
  const { data: manual, isError, refetch } = useManual();
  if (manual === undefined) return <ManualState hasFailed={isError} onRetry={() => void refetch()} />;
  if (question.trim() !== '') return <ManualResults manual={manual} question={question} onFollow={onFollow} />;
  if (hasContents) return <ManualContents manual={manual} shown={place} onFollow={onFollow} />;
  const page = manual.pages.get(place.page);
  return page === undefined ? null : <ManualArticle manual={manual} page={page} place={place} onFollow={onFollow} />;
}
