// One page of the manual, scrolled to the heading that was asked for.
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { type ManualPlace, readPageName } from './chapters.ts';
import type { Manual } from './manual.ts';
import style from './manual-article.module.css';
import { type FollowPlace, ManualLink } from './manual-link.tsx';
import type { Block, Inline, Page } from './manual-markdown.ts';

export interface ManualArticleProps {
  readonly manual: Manual;
  readonly page: Page;
  readonly place: ManualPlace;
  readonly onFollow?: FollowPlace | undefined;
}

/** `live-wall.md#tours`, or `#tours` on the same page. */
function placeOf(target: string, shown: ManualPlace): ManualPlace | null {
  const [file = '', heading] = target.split('#');
  const page = file === '' ? shown.page : readPageName(file.replace(/\.md$/, ''));
  return page === undefined ? null : { page, heading };
}

function InlineText({ parts, ...rest }: ManualArticleProps & { readonly parts: readonly Inline[] }) {
  return parts.map((part, at) => {
    const key = `${at} ${part.text}`;
    const place = part.kind === 'link' ? placeOf(part.target, rest.place) : null;
    if (part.kind === 'label') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'code') return <code key={key}>{part.text}</code>;
    if (place === null) return part.text;
    return (
      <ManualLink key={key} place={place} onFollow={rest.onFollow}>
        {part.text}
      </ManualLink>
    );
  });
}

function Picture({ address, description }: { readonly address: string | undefined; readonly description: string }) {
  const t = useT();
  const [isLarge, setLarge] = useState(false);
  if (address === undefined) return null;
  return (
    <figure className={style.figure}>
      <button
        type="button"
        className={style.picture}
        aria-label={t('manual.enlarge', { name: description })}
        onClick={() => setLarge(true)}
      >
        <img src={address} alt="" loading="lazy" />
      </button>
      <figcaption>{description}</figcaption>
      <Dialog
        isOpen={isLarge}
        onClose={() => setLarge(false)}
        title={description}
        closeLabel={t('common.close')}
        width={1200}
      >
        <img className={style.large} src={address} alt={description} />
      </Dialog>
    </figure>
  );
}

function Table({ rows, ...rest }: ManualArticleProps & Extract<Block, { kind: 'table' }>) {
  const [head = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col">
              <InlineText {...rest} parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, rowAt) => (
          <tr key={rowAt}>
            {row.map((cell, at) => (
              <td key={at}>
                <InlineText {...rest} parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BlockView({ block, ...rest }: ManualArticleProps & { readonly block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3';
      return (
        <Heading data-heading={block.id} tabIndex={-1}>
          {block.text}
        </Heading>
      );
    }
    case 'steps':
    case 'points': {
      const List = block.kind === 'steps' ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, at) => (
            <li key={at}>
              <InlineText {...rest} parts={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table {...rest} {...block} />;
    case 'code':
      return <pre>{block.text}</pre>;
    case 'picture':
      return <Picture address={rest.manual.pictures.get(block.name)} description={block.description} />;
    default:
      return (
        <p className={block.kind === 'note' ? style.note : undefined}>
          <InlineText {...rest} parts={block.text} />
        </p>
      );
  }
}

export function ManualArticle(props: ManualArticleProps) {
  const { page, place } = props;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const title = article.current?.querySelector<HTMLElement>('h1');
    const heading =
      place.heading === undefined
        ? null
        : article.current?.querySelector<HTMLElement>(`[data-heading="${CSS.escape(place.heading)}"]`);
    const target = heading ?? title;
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  }, [page, place]);
  return (
    <article ref={article} className={style.article}>
      <h1 tabIndex={-1}>{page.title}</h1>
      {page.blocks.map((block, at) => (
        <BlockView key={`${place.page} ${at}`} {...props} block={block} />
      ))}
    </article>
  );
}
