import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import type { IconName } from '../parts/icon-paths.ts';
import { Icon } from '../parts/icons.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { api } from '../service/client.ts';
import { go, screenAddress } from '../service/location.ts';
import { screens } from './screens.tsx';

const mostLinks = 8;
const pauseMs = 200;

type Found = {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  readonly detail?: string | undefined;
  readonly run: () => void;
};

/** Finds links and screens. The arrow keys choose, Enter opens. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = text.trim().toLowerCase();
  const links = useLinks(useLater(wanted));
  const id = useId();
  const found: readonly Found[] = [
    ...screens
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .map(({ screen, title, icon }) => ({ key: screen, icon, name: title, run: () => go(screenAddress(screen)) })),
    ...(wanted === '' ? [] : (links.data ?? [])).map((link) => ({
      key: link.id,
      icon: 'links' as const,
      name: link.title ?? shortAddress(link.shortUrl),
      detail: shortAddress(link.title === null ? link.url : link.shortUrl),
      run: () => go({ ...screenAddress('links'), linkId: link.id }),
    })),
  ];
  const at = Math.min(place, found.length - 1);
  const open = (one: Found | undefined) => {
    if (!one) return;
    onClose();
    one.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') open(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form className="palette" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          role="combobox"
          aria-label="Link or page"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={found[at] && `${id}-${found[at].key}`}
          aria-autocomplete="list"
          placeholder="Find a link or a page"
          autoComplete="off"
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setPlace(0);
          }}
        />
        <div id={`${id}-found`} role="listbox" aria-label="Links and pages" className="palette-found">
          {found.map((one, n) => (
            // The field keeps the focus and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles them
            <div
              key={one.key}
              id={`${id}-${one.key}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === at}
              ref={(row) => {
                if (n === at) row?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => open(one)}
            >
              <Icon name={one.icon} />
              <bdi className="cut">{one.name}</bdi>
              {one.detail && <bdi className="cut small">{one.detail}</bdi>}
            </div>
          ))}
        </div>
        <p className="small" role="status">
          {links.isFetching
            ? 'Searching…'
            : links.error
              ? 'Links could not be searched.'
              : found.length === 0
                ? 'Nothing found.'
                : ''}
        </p>
      </form>
    </Dialog>
  );
}

/** The first links that match. */
const useLinks = (q: string) =>
  useQuery({
    queryKey: ['palette', q],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/v1/links', { params: { query: { q, limit: mostLinks } }, signal })).data.links,
    enabled: q !== '',
  });

/** A text, once somebody has stopped typing it. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
