// The home tab: the card menu of what the account may use, in the order it gave the cards.
import { type Card, orderedCards } from '@vedette/rules/card-menu.ts';
import { useMenuOrder } from '../../features/account/menu-order.query.ts';
import { usePermissionFlags } from '../../features/account/use-permission-flags.ts';
import { CardMenu } from '../../features/card-menu/card-menu.tsx';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import style from './container-screen.module.css';
import { HOME_CARDS, isCardFor } from './home-cards.ts';
import type { TabName } from './workspace-tabs.ts';

export interface HomeTabProps {
  readonly onOpen: (tab: TabName, search: string) => void;
}

export function HomeTab({ onOpen }: HomeTabProps) {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  const flags = usePermissionFlags();
  const { order, keep } = useMenuOrder();
  const cards: Card[] = orderedCards(HOME_CARDS, order).map((card) => ({
    linkId: card.linkId,
    name: t(card.name),
    tip: t(card.tip),
    imgUrl: '',
    visible: isCardFor(card, { userType, flags }),
    MenuList: card.items.map((item) => ({ name: t(item.name), visible: true })),
  }));
  const open = (cardIndex: number, itemIndex: number): void => {
    const card = HOME_CARDS.find(({ linkId }) => linkId === cards[cardIndex]?.linkId);
    const item = card?.items[itemIndex];
    if (item !== undefined) onOpen(item.tab, item.search);
  };
  return (
    <div className={style.home}>
      <CardMenu
        label={t('home.cards')}
        imageBase="/icons/cards/"
        cards={cards}
        onOpenTab={open}
        onMenuExchange={(next) => void keep(next.map(({ linkId }) => linkId))}
      />
      <p className={style.homeHint}>{t('home.hint')}</p>
    </div>
  );
}
