// The search line above the tree: `/` enters it, Enter opens the best match, arrow down leaves it for the tree, Escape clears it.
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './resource-tree.module.css';

export interface TreeSearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Matches, null while nothing is searched. */
  readonly total: number | null;
  readonly onLeave: () => void;
  /** Opens the best match. */
  readonly onEnter: () => void;
}

export function TreeSearchField({ label, value, onValue, total, onLeave, onEnter }: TreeSearchFieldProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', label: 'keys.search', run: () => input.current?.focus() }]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && value.trim() !== '') {
      onEnter();
      input.current?.select();
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
    else if (event.key === 'Escape' && value !== '') onValue('');
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={style.search} role="search">
      <TextField
        ref={input}
        aria-label={label}
        placeholder={label}
        value={value}
        onValue={onValue}
        maxLength={64}
        spellCheck={false}
        autoComplete="off"
        onKeyDown={onKey}
        leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
        rightSlot={
          value === '' ? (
            <kbd className={style.slash} aria-hidden="true">
              /
            </kbd>
          ) : (
            <IconButton label={t('common.clearSearch')} size="small" onClick={() => onValue('')}>
              <IconX size={14} stroke={2} />
            </IconButton>
          )
        }
      />
      <span className="visually-hidden" role="status">
        {total === null ? '' : t.plural('tree.matches', total)}
      </span>
    </div>
  );
}
