// The organisations right below the chosen one, as places to go to and to drop devices on.
import { IconFolder } from '@tabler/icons-react';
import type { Organization } from '@vedette/contract/entities.ts';
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { useDeviceDrop } from './device-drop.ts';
import { type OrgFacts, totalsBelow } from './org-changes.ts';
import style from './org-manage-screen.module.css';

export interface OrgBelowProps {
  readonly below: readonly Organization[];
  readonly facts: OrgFacts;
  readonly onSelect: (organizationId: string) => void;
  readonly onTake: (serials: readonly string[], organizationId: string) => void;
}

export function OrgBelow({ below, facts, onSelect, onTake }: OrgBelowProps) {
  const t = useT();
  const totals = useMemo(
    () => new Map(below.map(({ organizationId: id }) => [id, totalsBelow(facts, id).deviceTotal])),
    [below, facts],
  );
  if (below.length === 0) return null;
  return (
    <ul className={style.below} aria-label={t('org.below')}>
      {below.map((one) => (
        <Card
          key={one.organizationId}
          organization={one}
          total={totals.get(one.organizationId) ?? 0}
          onSelect={onSelect}
          onTake={onTake}
        />
      ))}
    </ul>
  );
}

interface CardProps extends Pick<OrgBelowProps, 'onSelect' | 'onTake'> {
  readonly organization: Organization;
  readonly total: number;
}

function Card({ organization, total, onSelect, onTake }: CardProps) {
  const t = useT();
  const { organizationId, organizationName, permission } = organization;
  const drop = useDeviceDrop(
    permission.includes('DeviceManage') ? (serials) => onTake(serials, organizationId) : undefined,
  );
  return (
    <li>
      <button type="button" className={style.card} onClick={() => onSelect(organizationId)} {...drop}>
        <IconFolder size={18} stroke={1.6} aria-hidden="true" />
        <span className={style.cardName}>{organizationName}</span>
        <span className={style.cardTotal}>{t.plural('devices.total', total)}</span>
      </button>
    </li>
  );
}
