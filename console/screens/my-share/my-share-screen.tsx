// myShareContainer: what I share, what is shared with me, my guest links, and devices that change hands; the chosen one in the inspector.
import { IconGift, IconLink, IconShare } from '@tabler/icons-react';
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { type ReactNode, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useTransfers } from '../../features/device-transfer/device-transfer.query.ts';
import { type SharedItems, useGiven, useLinks, useReceived } from '../../features/share/share.query.ts';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { LinkInspector } from './link-inspector.tsx';
import { LinkTable } from './link-table.tsx';
import style from './my-share-screen.module.css';
import {
  NO_FILTER,
  type ShareFilter,
  ShareToolbar,
  matchesFilter,
  matchesLink,
  matchesTransfer,
} from './share-filter.tsx';
import { ShareInspector } from './share-inspector.tsx';
import { ShareTable } from './share-table.tsx';
import { TransferInspector } from './transfer-inspector.tsx';
import { TransferTable } from './transfer-table.tsx';

const TABS = ['given', 'received', 'links', 'devices'] as const;
type Tab = (typeof TABS)[number];
const TOTALS = {
  given: 'share.total',
  received: 'share.total',
  links: 'share.linkTotal',
  devices: 'give.total',
} as const;
const SKELETON_ROWS = 10;

/** The tab and the chosen row stand in the address. */
function usePlace() {
  const [params, setParams] = useSearchParams();
  const named = params.get('tab');
  const tab: Tab = TABS.find((one) => one === named) ?? 'given';
  const go = (next: { tab?: Tab; chosen?: string }): void => {
    const chosen = next.chosen ?? (next.tab === undefined ? (params.get('share') ?? '') : '');
    setParams({ tab: next.tab ?? tab, ...(chosen !== '' && { share: chosen }) }, { replace: true });
  };
  return { tab, chosen: params.get('share') ?? '', go };
}

export function MyShareScreen() {
  const t = useT();
  const { tab, chosen, go } = usePlace();
  const [filter, setFilter] = useState(NO_FILTER);
  const given = useGiven();
  const received = useReceived();
  const links = useLinks();
  const transfers = useTransfers();
  const shares = tab === 'given' ? given : received;
  const hasShares = tab === 'given' || tab === 'received';
  const total = { given, received, links, devices: transfers }[tab].data?.length;
  return (
    <main className={style.screen}>
      <div className={style.middle}>
        <PageHeader title={t('screen.share')} fact={total === undefined ? undefined : t.plural(TOTALS[tab], total)} />
        <div className={style.bar}>
          <div className={style.tabs}>
            <Segmented
              label={t('share.tabs')}
              value={tab}
              options={TABS.map((value) => ({ value, label: t(`share.${value}`) }))}
              onValue={(next) => go({ tab: next })}
              isWide
            />
          </div>
          <ShareToolbar filter={filter} hasStates={hasShares} onFilter={setFilter} />
        </div>
        <Offers
          tab={tab}
          received={received.data ?? []}
          transfers={transfers.data ?? []}
          onShow={(next) => go({ tab: next })}
        />
        <div className={style.work}>
          {tab === 'links' && (
            <Listed query={links} filter={filter} onFilter={setFilter} matches={matchesLink} empty={<EmptyLinks />}>
              {(rows) => <LinkTable links={rows} chosen={chosen} onChoose={(one) => go({ chosen: one.linkId })} />}
            </Listed>
          )}
          {tab === 'devices' && (
            <Listed
              query={transfers}
              filter={filter}
              onFilter={setFilter}
              matches={matchesTransfer}
              empty={<EmptyTransfers />}
            >
              {(rows) => (
                <TransferTable transfers={rows} chosen={chosen} onChoose={(one) => go({ chosen: one.transferId })} />
              )}
            </Listed>
          )}
          {hasShares && (
            <Listed
              query={shares}
              filter={filter}
              onFilter={setFilter}
              matches={matchesFilter}
              empty={<EmptyShares isGiven={tab === 'given'} />}
            >
              {(rows) => (
                <ShareTable
                  shares={rows}
                  isGiven={tab === 'given'}
                  chosen={chosen}
                  onChoose={(one) => go({ chosen: one.shareId })}
                />
              )}
            </Listed>
          )}
        </div>
      </div>
      <Chosen
        tab={tab}
        chosen={chosen}
        shares={shares.data}
        links={links.data}
        transfers={transfers.data}
        onClose={() => go({ chosen: '' })}
      />
    </main>
  );
}

function Chosen(props: {
  readonly tab: Tab;
  /** The id of the row. */
  readonly chosen: string;
  readonly shares: readonly SharedItems[] | undefined;
  readonly links: readonly ShareLink[] | undefined;
  readonly transfers: readonly DeviceTransfer[] | undefined;
  readonly onClose: () => void;
}) {
  const { tab, chosen, shares, links, transfers, onClose } = props;
  if (tab === 'links') {
    const link = links?.find(({ linkId }) => linkId === chosen);
    return link && <LinkInspector key={chosen} link={link} onClose={onClose} />;
  }
  if (tab === 'devices') {
    const transfer = transfers?.find(({ transferId }) => transferId === chosen);
    return transfer && <TransferInspector key={chosen} transfer={transfer} onClose={onClose} />;
  }
  const share = shares?.find(({ shareId }) => shareId === chosen);
  if (share === undefined) return null;
  return <ShareInspector key={share.shareId} share={share} isGiven={tab === 'given'} onClose={onClose} />;
}

interface OffersProps {
  readonly tab: Tab;
  readonly received: readonly SharedItems[];
  readonly transfers: readonly DeviceTransfer[];
  readonly onShow: (tab: Tab) => void;
}

/** What waits for an answer and is not on the page already. */
function Offers({ tab, received, transfers, onShow }: OffersProps) {
  const t = useT();
  const waiting = [
    { on: 'received', words: 'share.offers', count: received.filter(({ first }) => first.state === 'pending').length },
    { on: 'devices', words: 'give.waiting', count: transfers.filter(({ isGiven }) => !isGiven).length },
  ] as const;
  return waiting
    .filter(({ on, count }) => on !== tab && count > 0)
    .map(({ on, words, count }) => (
      <div key={on} className={style.offers}>
        <Notice tone="info" action={<Button onClick={() => onShow(on)}>{t('share.showOffers')}</Button>}>
          {t.plural(words, count)}
        </Notice>
      </div>
    ));
}

interface ListedProps<R> {
  readonly query: {
    readonly data: readonly R[] | undefined;
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly filter: ShareFilter;
  readonly onFilter: (filter: ShareFilter) => void;
  readonly matches: (row: R, filter: ShareFilter) => boolean;
  readonly empty: ReactNode;
  readonly children: (rows: readonly R[]) => ReactNode;
}

function Listed<R>({ query, filter, onFilter, matches, empty, children }: ListedProps<R>) {
  const t = useT();
  const { data, isPending, error, refetch } = query;
  if (data === undefined) {
    if (isPending) {
      return (
        <div className={style.loading}>
          <SkeletonLines label={t('common.loading')} rows={SKELETON_ROWS} rowHeight={36} />
        </div>
      );
    }
    return (
      <StateView
        role="alert"
        title={t('share.error')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  }
  if (data.length === 0) return empty;
  const rows = data.filter((row) => matches(row, filter));
  if (rows.length > 0) return <Pages rows={rows}>{children}</Pages>;
  return (
    <StateView
      title={t('share.noMatch')}
      action={<Button onClick={() => onFilter(NO_FILTER)}>{t('share.clearFilter')}</Button>}
    />
  );
}

/** 100 rows at a time; a filter that leaves fewer pages shows the first. */
function Pages<R>({ rows, children }: { readonly rows: readonly R[]; readonly children: ListedProps<R>['children'] }) {
  const [asked, setPage] = useState(0);
  const pageSize = PAGE_SIZE.shares;
  const pageStart = asked * pageSize < rows.length ? asked : 0;
  return (
    <>
      <div className={style.table}>{children(rows.slice(pageStart * pageSize, (pageStart + 1) * pageSize))}</div>
      <ListFoot total={rows.length} pageSize={pageSize} pageStart={pageStart} onPage={setPage} />
    </>
  );
}

function EmptyShares({ isGiven }: { readonly isGiven: boolean }) {
  const t = useT();
  const navigate = useNavigate();
  return (
    <StateView
      icon={<IconShare size={20} stroke={1.5} />}
      title={t(isGiven ? 'share.emptyGiven' : 'share.emptyReceived')}
      detail={isGiven ? t('share.emptyGivenDetail') : undefined}
      action={
        isGiven ? (
          <Button look="primary" onClick={() => navigate(PATHS.deviceManage)}>
            {t('share.toDevices')}
          </Button>
        ) : undefined
      }
    />
  );
}

function EmptyLinks() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <StateView
      icon={<IconLink size={20} stroke={1.5} />}
      title={t('share.emptyLinks')}
      detail={t('share.emptyLinksDetail')}
      action={
        <Button look="primary" onClick={() => navigate(PATHS.deviceManage)}>
          {t('share.toDevices')}
        </Button>
      }
    />
  );
}

function EmptyTransfers() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <StateView
      icon={<IconGift size={20} stroke={1.5} />}
      title={t('give.empty')}
      detail={t('give.emptyDetail')}
      action={
        <Button look="primary" onClick={() => navigate(PATHS.deviceManage)}>
          {t('share.toDevices')}
        </Button>
      }
    />
  );
}
