// A grid of cards with icon, name and tip; hover or focus shows the sub-items in two columns; cards are dragged into another order.
import { movedCard, iconAddress, type Card } from '@vedette/rules/card-menu.ts';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { ownDrag } from '../../ui/own-drag.ts';
import style from './card-menu.module.css';

export interface CardMenuProps {
  readonly label: string;
  /** Stands before the name of an icon. */
  readonly imageBase: string;
  readonly cards: readonly Card[];
  /** Indexes among the cards and among the card's own sub-items, hidden ones counted. */
  readonly onOpenTab: (cardIndex: number, itemIndex: number) => void;
  /** On by default. */
  readonly isDraggable?: boolean;
  readonly onMenuExchange: (cards: readonly Card[]) => void;
}

/** The index of the card. */
const cardDrag = ownDrag<number>();

export function CardMenu(props: CardMenuProps) {
  const { label, cards, isDraggable = true, onMenuExchange } = props;
  const t = useT();
  const [drag, setDrag] = useState({ from: -1, over: -1 });
  const [told, setTold] = useState('');
  const move = (from: number, before: number): void => {
    const next = movedCard(cards, from, before);
    if (next.every((card, at) => card === cards[at])) return;
    onMenuExchange(next);
    const card = cards[from];
    if (card !== undefined)
      setTold(t('home.moved', { name: card.name, place: next.filter((one) => one.visible).indexOf(card) + 1 }));
  };
  const shown = cards.flatMap((card, index) => (card.visible ? [index] : []));
  /** Alt and an arrow are the equal of dragging. */
  const onKey = (event: KeyboardEvent, index: number): void => {
    if (!isDraggable || !event.altKey) return;
    const place = shown.indexOf(index);
    if (event.key === 'ArrowLeft' && place > 0) move(index, shown[place - 1] ?? 0);
    else if (event.key === 'ArrowRight' && place < shown.length - 1) move(index, shown[place + 2] ?? -1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <ul className={style.grid} aria-label={label}>
        {shown.map((index) => {
          const card = cards[index];
          if (card === undefined) return null;
          return (
            <li
              key={card.linkId}
              className={style.card}
              draggable={isDraggable}
              data-dragged={drag.from === index || undefined}
              data-over={(drag.over === index && drag.from !== index && drag.from >= 0) || undefined}
              onDragStart={(event: DragEvent) => {
                cardDrag.begin(event.dataTransfer, index, 'move');
                setDrag({ from: index, over: -1 });
              }}
              onDragOver={(event) => {
                if (drag.from < 0 || cardDrag.read(event.dataTransfer) !== drag.from) return;
                event.preventDefault();
                if (drag.over !== index) setDrag({ from: drag.from, over: index });
              }}
              onDragEnd={() => setDrag({ from: -1, over: -1 })}
              onDrop={(event) => {
                event.preventDefault();
                // Onto a later card: it takes that one's place, which moves up.
                if (drag.from >= 0 && cardDrag.read(event.dataTransfer) === drag.from)
                  move(drag.from, drag.from < index ? index + 1 : index);
                setDrag({ from: -1, over: -1 });
              }}
              onKeyDown={(event) => onKey(event, index)}
            >
              <CardFace {...props} card={card} index={index} />
            </li>
          );
        })}
      </ul>
      <span className="visually-hidden" role="status">
        {told}
      </span>
    </>
  );
}

interface CardFaceProps extends CardMenuProps {
  readonly card: Card;
  readonly index: number;
}

function CardFace({ card, index, imageBase, onOpenTab }: CardFaceProps) {
  const items = card.MenuList.flatMap((item, at) => (item.visible ? [{ ...item, at }] : []));
  const first = items[0];
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- name and tip stand inside, deeper than it looks */}
      <button
        type="button"
        className={style.face}
        disabled={first === undefined}
        onClick={() => {
          if (first !== undefined) onOpenTab(index, first.at);
        }}
      >
        <img src={iconAddress(imageBase, card)} alt="" width={36} height={36} draggable={false} />
        <span className={style.words}>
          <span className={style.name}>{card.name}</span>
          <span className={style.tip}>{card.tip}</span>
        </span>
      </button>
      <ul className={style.items} aria-label={card.name}>
        {items.map((item) => (
          <li key={item.name}>
            <button type="button" className={style.item} onClick={() => onOpenTab(index, item.at)}>
              {item.name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
