import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { shortAddress } from '../parts/actions.ts';
import { IconButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { PageLink } from '../parts/page-link.tsx';
import { linkAt } from '../service/links.ts';
import { addressAbout, go, useAddress } from '../service/location.ts';
import { EditLink } from './edit-link.tsx';
import { ViewLink } from './view-link.tsx';

/** A link beside the list, at an address of its own. */
export function LinkPanel({ id }: { readonly id: string }) {
  const { isEditing } = useAddress();
  const link = useQuery({ ...linkAt(id).query, staleTime: 0 });
  const element = useRef<HTMLElement>(null);
  const closePanel = () => go({ linkId: undefined, isEditing: false });
  useEscape(closePanel, !isEditing, 'beside');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is another panel
  useEffect(() => {
    // The form takes the focus itself.
    if (!isEditing) element.current?.focus();
  }, [id, isEditing]);
  const { title, url, variants } = link.data?.value ?? {};
  // With variants, the destination is not used.
  const name = title ?? (url === undefined || variants?.length ? undefined : shortAddress(url));
  const isGone = link.error instanceof ProblemError && link.error.status === 404;
  return (
    <aside ref={element} className="panel" aria-label="Link" tabIndex={-1}>
      <header className="panel-head">
        <h2>{name === undefined ? 'Link' : <bdi>{name}</bdi>}</h2>
        <IconButton icon="close" label="Close" onClick={closePanel} />
        {link.data && (
          <p className="panel-link">
            <bdi className="mono">{breakable(shortAddress(link.data.value.shortUrl))}</bdi>
            <CopyButton text={link.data.value.shortUrl} what="short link" label="Copy" isPrimary />
          </p>
        )}
      </header>
      {isGone ? (
        <p className="notice">
          <span>
            This link was deleted. <PageLink to={addressAbout('history', id)}>See its history</PageLink>
          </span>
        </p>
      ) : link.error && !link.data ? (
        <FailureNote
          error={link.error}
          what="The link could not be loaded."
          permission="links:read"
          onRetry={() => void link.refetch()}
        />
      ) : !link.data ? (
        <p className="hidden" aria-busy="true">
          Loading
        </p>
      ) : isEditing ? (
        <EditLink key={id} version={link.data} />
      ) : (
        <ViewLink link={link.data.value} />
      )}
    </aside>
  );
}

/** An address that breaks only after `/` and `-`. */
const breakable = (address: string) =>
  address.split(/(?<=[/-])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may be the same, and never move
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
