// The home tab: the card menu of what the account may use, in the order it gave the cards.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { type Card, orderedCards } from '@vedette/rules/card-menu.ts';
import { useNavigate } from 'react-router';
import { useMenuOrder } from '../../features/account/menu-order.query.ts';
import { usePermissionFlags } from '../../features/account/use-permission-flags.ts';
import { CardMenu } from '../../features/card-menu/card-menu.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useAuth } from '../../session/auth-store.ts';
import style from './container-screen.module.css';

interface HomeItem {
  readonly name: PlainKey;
  readonly to: string;
}

interface HomeCard {
  readonly linkId: string;
  readonly name: PlainKey;
  readonly tip: PlainKey;
  /** One of them opens the card; none opens it for everybody. */
  readonly flags: readonly Permission[];
  readonly userTypes?: readonly number[];
  readonly items: readonly HomeItem[];
}

const OWNERS: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];
const permissionsPart = (part: string): string => `${PATHS.permissionConfig}?part=${part}`;

const HOME_CARDS: readonly HomeCard[] = [
  {
    linkId: 'live',
    name: 'screen.live',
    tip: 'home.liveTip',
    flags: ['Realplay', 'PtzControl', 'Talk'],
    items: [{ name: 'screen.liveWindow', to: PATHS.liveVideo }],
  },
  {
    linkId: 'playback',
    name: 'screen.playback',
    tip: 'home.playbackTip',
    flags: ['Replay'],
    items: [{ name: 'screen.playback', to: PATHS.container }],
  },
  {
    linkId: 'alarms',
    name: 'screen.alarms',
    tip: 'home.alarmsTip',
    flags: ['AlarmPush'],
    items: [{ name: 'screen.alarms', to: PATHS.alarmMsg }],
  },
  {
    linkId: 'devices',
    name: 'screen.devices',
    tip: 'home.devicesTip',
    flags: ['DeviceManage', 'Config'],
    items: [
      { name: 'devices.table', to: PATHS.deviceManage },
      { name: 'devices.add', to: `${PATHS.deviceManage}?add=1` },
      { name: 'group.title', to: `${PATHS.deviceManage}?groups=1` },
    ],
  },
  {
    linkId: 'organizations',
    name: 'screen.organizations',
    tip: 'home.organizationsTip',
    flags: ['OrganizationManage'],
    items: [{ name: 'org.tree', to: PATHS.orgManage }],
  },
  {
    linkId: 'permissions',
    name: 'screen.permissions',
    tip: 'home.permissionsTip',
    flags: [],
    userTypes: OWNERS,
    items: [
      { name: 'perm.roles', to: permissionsPart('roles') },
      { name: 'perm.accounts', to: permissionsPart('accounts') },
      { name: 'audit.title', to: permissionsPart('audit') },
    ],
  },
  {
    linkId: 'share',
    name: 'screen.share',
    tip: 'home.shareTip',
    flags: [],
    items: [
      { name: 'share.given', to: PATHS.myShareContainer },
      { name: 'share.received', to: `${PATHS.myShareContainer}?tab=received` },
      { name: 'share.links', to: `${PATHS.myShareContainer}?tab=links` },
    ],
  },
  {
    linkId: 'system',
    name: 'screen.system',
    tip: 'home.systemTip',
    flags: [],
    userTypes: [USER_TYPE.super],
    items: [{ name: 'screen.system', to: PATHS.system }],
  },
];

export function HomeTab() {
  const t = useT();
  const navigate = useNavigate();
  const userType = useAuth((auth) => auth.userType);
  const flags = usePermissionFlags();
  const { order, keep } = useMenuOrder();
  const isFor = ({ flags: needed, userTypes }: HomeCard): boolean => {
    if (userTypes !== undefined) return userTypes.includes(userType);
    return needed.length === 0 || needed.some((flag) => flags?.[flag] === true);
  };
  const cards: Card[] = orderedCards(HOME_CARDS, order).map((card) => ({
    linkId: card.linkId,
    name: t(card.name),
    tip: t(card.tip),
    imgUrl: '',
    visible: isFor(card),
    MenuList: card.items.map((item) => ({ name: t(item.name), visible: true })),
  }));
  const open = (cardIndex: number, itemIndex: number): void => {
    const card = HOME_CARDS.find(({ linkId }) => linkId === cards[cardIndex]?.linkId);
    const item = card?.items[itemIndex];
    if (item !== undefined) void navigate(item.to);
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
