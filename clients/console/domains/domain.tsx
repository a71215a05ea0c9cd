import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/kit/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { noFilter } from '../service/address.ts';
import { go, screenAddress } from '../service/location.ts';
import { queries, useMay } from '../service/queries.ts';
import { domainAt } from '../service/resources.ts';
import { Settings } from './settings.tsx';
import { isMoving } from './status.ts';
import { Steps } from './steps.tsx';

/** How often a domain that progresses by itself is read again. React Query stops while the page is hidden. */
const pollMs = 10_000;

const useDomain = (name: string) =>
  useQuery({
    ...domainAt(name).query,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data.value) ? pollMs : false),
  });

/** A domain: what to do until links on it work, and its settings. */
export function DomainPage({ name }: { readonly name: string }) {
  const domain = useDomain(name);
  const mayWrite = useMay('domains:write');
  const [isDeleting, askToDelete] = useState(false);
  const status = domain.data?.value.status;
  useEffect(() => {
    // So that new links may be made on a domain that became active by itself.
    if (status === 'ACTIVE') void queries.invalidateQueries({ queryKey: ['domains'] });
  }, [status]);
  return (
    <>
      <div className="screen-head">
        <div>
          <PageLink to={screenAddress('domains')}>Domains</PageLink>
          <h1 className="mono">{name}</h1>
        </div>
        {mayWrite && (
          <Button kind="bad" onClick={() => askToDelete(true)}>
            Delete…
          </Button>
        )}
      </div>
      <Loaded query={domain} what="The domain" permission="domains:read">
        {(version) => (
          <>
            <Steps domain={version.value} mayWrite={mayWrite} />
            {version.value.status !== 'PENDING_OWNERSHIP' && <Settings loaded={version} mayWrite={mayWrite} />}
          </>
        )}
      </Loaded>
      {isDeleting && <DeleteDomain name={name} onClose={() => askToDelete(false)} />}
    </>
  );
}

function DeleteDomain({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete domain"
      permission="domains:write"
      run={async (say) => {
        await domainAt(name).remove(say);
        go(screenAddress('domains'));
        return { text: `${name} is deleted.` };
      }}
      onClose={onClose}
      onError={(error) =>
        error instanceof ProblemError && error.code === 'domain_in_use' ? (
          <p className="notice bad" role="alert">
            It still has links.{' '}
            <PageLink to={{ ...screenAddress('links'), filter: { ...noFilter, domain: name } }}>Show them</PageLink>
          </p>
        ) : error instanceof ProblemError && error.code === 'domain_deletion_in_progress' ? (
          <p className="notice" role="alert">
            Still checking for links. Press Delete domain again to continue, or Check now to keep the domain.
          </p>
        ) : null
      }
    >
      <p>Only a domain without links can be deleted. Its pages and redirects stop working within a minute.</p>
      <p>To get it back, add it again and prove that you own it. Its settings are lost.</p>
    </Confirm>
  );
}
