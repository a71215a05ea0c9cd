import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { addressIn } from '../service/destination.ts';
import { type PageCard, pageCard } from '../service/new-links.ts';
import type { Values } from './fields/fields.ts';

const names = ['title', 'description', 'image'] as const;
const textsOf = (card: PageCard): Record<(typeof names)[number], string> => ({
  title: card.title ?? '',
  description: card.description ?? '',
  image: card.image ?? '',
});

/**
 * Fills in title, description and picture of a new link from its page, or offers them if the fields are not empty.
 *
 * @returns `lookAt`, to call when an address is pasted or its field left, and the note below the title.
 */
export function usePageCard(values: Values, fill: (texts: Values) => void): { lookAt: (url: string) => void; note: ReactNode } {
  const [card, setCard] = useState<PageCard>();
  const filled = useRef<Values>(undefined);
  const looked = useRef({ url: '', stop: () => {} });
  const latest = useRef(values);
  latest.current = values;
  useEffect(() => () => looked.current.stop(), []);
  const use = (found: PageCard) => {
    filled.current = textsOf(found);
    fill(filled.current);
  };
  const lookAt = (text: string) => {
    const url = addressIn(text);
    if (url === undefined || looked.current.url === url) return;
    looked.current.stop();
    const stopped = new AbortController();
    looked.current = { url, stop: () => stopped.abort() };
    setCard(undefined);
    void pageCard(url, stopped.signal).then((found) => {
      if (found === undefined || stopped.signal.aborted) return;
      setCard(found);
      const isUntouched = names.every((name) => [undefined, '', filled.current?.[name]].includes(latest.current[name] as string));
      if (isUntouched) use(found);
    });
  };
  const isUsed = card?.title !== undefined && values.title === card.title;
  const note = card?.title ? (
    <p className="small" role="status">
      {isUsed ? (
        'From the page.'
      ) : (
        <>
          Page title “<bdi>{card.title}</bdi>”{' '}
          <Button kind="link" onClick={() => use(card)}>
            Use it
          </Button>
        </>
      )}
    </p>
  ) : null;
  return { lookAt, note };
}
