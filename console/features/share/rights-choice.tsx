// The rights as switches with plain words; those that the giver lacks are not offered.
import {
  IconAdjustmentsHorizontal,
  IconArrowsMove,
  IconBell,
  IconDatabaseCog,
  IconDownload,
  IconHistory,
  IconMicrophone,
  IconShare,
  IconVideo,
} from '@tabler/icons-react';
import type { ShareRight } from '@vedette/contract/permissions.ts';
import { useT } from '../../language/use-t.ts';
import { RIGHT_ORDER, storedRight, toggledRights } from './share-rights.ts';
import style from './share-dialog.module.css';

export const RIGHT_ICONS: Readonly<Record<ShareRight, typeof IconVideo>> = {
  videoView: IconVideo,
  videotapeView: IconHistory,
  ptzControl: IconArrowsMove,
  talk: IconMicrophone,
  alarmPush: IconBell,
  equipmentConfiguration: IconAdjustmentsHorizontal,
  Export: IconDownload,
  RecordConfig: IconDatabaseCog,
  Reshare: IconShare,
};

export interface RightsChoiceProps {
  readonly chosen: ReadonlySet<ShareRight>;
  /** Stored names. */
  readonly offered: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<ShareRight>) => void;
}

export function RightsChoice({ chosen, offered, onChosen }: RightsChoiceProps) {
  const t = useT();
  return (
    <fieldset className={style.group}>
      <legend className={style.legend}>{t('share.may')}</legend>
      <div className={style.rights}>
        {RIGHT_ORDER.map((right) => {
          const Icon = RIGHT_ICONS[right];
          const stored = storedRight(right);
          const isOffered = offered.has(stored) || chosen.has(right);
          return (
            <button
              key={right}
              type="button"
              className={style.right}
              aria-pressed={chosen.has(right)}
              disabled={!isOffered}
              onClick={() => onChosen(toggledRights(chosen, right))}
            >
              <Icon size={17} stroke={1.7} aria-hidden="true" />
              <span className={style.rightWords}>
                <span>{t(`share.right_${stored}`)}</span>
                <span className={style.rightDetail}>{t(`share.rightDetail_${stored}`)}</span>
              </span>
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

/** The rights of a share at a glance. */
export function RightIcons({ rights }: { readonly rights: readonly ShareRight[] }) {
  const t = useT();
  const words = rights.map((right) => t(`share.right_${storedRight(right)}`)).join(t('common.listSeparator'));
  return (
    <span className={style.icons} title={words}>
      {rights.map((right) => {
        const Icon = RIGHT_ICONS[right];
        return <Icon key={right} size={15} stroke={1.7} aria-hidden="true" />;
      })}
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
