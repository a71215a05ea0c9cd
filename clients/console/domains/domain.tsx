import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { CopyButton } from '../parts/copy.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { fullTime, shortTime } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import { noFilter } from '../service/address.ts';
import { api } from '../service/client.ts';
import { go, screenAddress } from '../service/location.ts';
import { patiently } from '../service/patience.ts';
import { queries, useMay } from '../service/queries.ts';
import { deleteSurely } from '../service/removal.ts';
import type { DomainDetails } from '../service/types.ts';
import { getDomain } from './calls.ts';
import { Settings } from './settings.tsx';
import { seenText, statusOf } from './status.ts';

const useDomain = (name: string) => useQuery({ queryKey: ['domain', name], queryFn: ({ signal }) => getDomain(name, signal) });

const refresh = (name: string): void => {
  void queries.invalidateQueries({ queryKey: ['domain', name] });
  void queries.invalidateQueries({ queryKey: ['domains'] });
};

/** A domain: what is to do until links on it work, and its settings. */
export function DomainPage({ name }: { readonly name: string }) {
  const domain = useDomain(name);
  const mayWrite = useMay('domains:write');
  const [isDeleting, askToDelete] = useState(false);
  return (
    <>
      <div className="screen-head">
        <div>
          <PageLink to={screenAddress('domains')}>Domains</PageLink>
          <h1 className="mono">{name}</h1>
        </div>
        {mayWrite && (
          <button type="button" className="button bad" onClick={() => askToDelete(true)}>
            Delete…
          </button>
        )}
      </div>
      <Loaded query={domain} what="The domain" permission="domains:read">
        {(version) => (
          <>
            <Steps domain={version.value} mayWrite={mayWrite} />
            {version.value.status !== 'PENDING_OWNERSHIP' && (
              <Settings loaded={version} mayWrite={mayWrite} onSaved={() => refresh(name)} />
            )}
          </>
        )}
      </Loaded>
      {isDeleting && <DeleteDomain name={name} onClose={() => askToDelete(false)} />}
    </>
  );
}

function Steps({ domain, mayWrite }: { readonly domain: DomainDetails; readonly mayWrite: boolean }) {
  const { domain: name, status, covered, records, verifiedAt } = domain;
  const { icon, tone, word } = statusOf(domain);
  const isProven = status !== 'PENDING_OWNERSHIP';
  const isActive = status === 'ACTIVE';
  return (
    <section className="stack wide-gap" aria-label="Set-up">
      <p className={`state-word ${tone}`}>
        <Icon name={icon} /> {word}
      </p>
      <ol className="steps">
        <Step isDone={isProven} title={isProven ? 'Ownership is proven' : 'Prove that you own the domain. Set this record:'}>
          {isProven
            ? verifiedAt && <p className="small">Since {fullTime(verifiedAt)}. Keep the record: it is checked every day.</p>
            : null}
          <RecordOf domain={domain} type="TXT" isOpen={!isProven} />
        </Step>
        <Step isDone={isActive} title={isActive ? 'The domain points here' : 'Point the domain here. Set this record:'}>
          <RecordOf domain={domain} type="CNAME" isOpen={!isActive} />
          {!covered && (
            <p className="notice warning">
              The operator has not set up {name} on this service yet. Until then, visitors cannot reach it.
            </p>
          )}
        </Step>
        <Step isDone={isActive} title="Links on it work" />
      </ol>
      {mayWrite && records.length > 0 && <CheckNow name={name} isActive={isActive} />}
    </section>
  );
}

const Step = ({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly children?: React.ReactNode;
}) => (
  <li className="step">
    <span className={isDone ? 'state-word good' : 'state-word quiet'}>
      <Icon name={isDone ? 'check' : 'clock'} />
      <span className="hidden">{isDone ? 'Done:' : 'To do:'}</span>
    </span>
    <div className="stack">
      <strong>{title}</strong>
      {children}
    </div>
  </li>
);

type RecordProps = { readonly domain: DomainDetails; readonly type: 'TXT' | 'CNAME'; readonly isOpen: boolean };

/** A record to set, with what the last check saw of it. */
function RecordOf({ domain: { records, lastCheck }, type, isOpen }: RecordProps) {
  const record = records.find((one) => one.type === type);
  if (!record) return null;
  const table = (
    <dl className="record">
      <div>
        <dt>Type</dt>
        <dd className="mono">{type}</dd>
      </div>
      <div>
        <dt>Name</dt>
        <dd>
          <bdi className="mono">{record.name}</bdi>
          <CopyButton text={record.name} what={`name of the ${type} record`} />
        </dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd>
          <bdi className="mono">{record.value}</bdi>
          <CopyButton text={record.value} what={`value of the ${type} record`} />
        </dd>
      </div>
    </dl>
  );
  return (
    <>
      {isOpen ? (
        table
      ) : (
        <details>
          <summary className="small">The record</summary>
          {table}
        </details>
      )}
      {lastCheck?.wanted.type === type && (
        <p className="small" title={fullTime(lastCheck.at)}>
          Checked {shortTime(lastCheck.at)}: <bdi>{seenText(lastCheck)}</bdi>.
        </p>
      )}
    </>
  );
}

function CheckNow({ name, isActive }: { readonly name: string; readonly isActive: boolean }) {
  const { isBusy, note, error, run } = useAction('domains:write');
  const check = async () => {
    if (isBusy) return;
    await run(async (say) => {
      try {
        await patiently(() => api.POST('/api/v1/domains/{domain}/verify', { params: { path: { domain: name } } }), say);
        toast(`${name} is checked.`, { tone: 'good' });
      } finally {
        refresh(name);
      }
    });
  };
  usePageKeys({ r: () => void check() });
  const failed = error instanceof ProblemError && error.code === 'domain_check_failed' ? error : undefined;
  return (
    <div className="stack">
      <p className="actions">
        <button type="button" className={isActive ? 'button' : 'button primary'} disabled={isBusy} onClick={() => void check()}>
          {isBusy ? 'Checking…' : 'Check now'}
        </button>
      </p>
      {failed ? (
        <div className="notice warning" role="alert">
          {(failed.errors.length > 0 ? failed.errors : [{ path: '', message: failed.detail }]).map(({ path, message }) => (
            <p key={path + message}>
              <bdi>{message.charAt(0).toUpperCase() + message.slice(1)}.</bdi>
            </p>
          ))}
          <p className="small">Changes of the DNS may take an hour to be seen.</p>
        </div>
      ) : (
        note
      )}
    </div>
  );
}

function DeleteDomain({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete domain"
      permission="domains:write"
      run={async (say) => {
        await deleteSurely(() => api.DELETE('/api/v1/domains/{domain}', { params: { path: { domain: name } } }), say);
        refresh(name);
        go(screenAddress('domains'));
        toast(`${name} is deleted.`);
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
            The search for its links is not finished. Press the button again to go on. Check the domain to keep it.
          </p>
        ) : null
      }
    >
      <p>Visitors of its addresses get “not found” within a minute. A domain that has links cannot be deleted.</p>
      <p>To bring it back, add it again and prove its ownership. Its settings are lost.</p>
    </Confirm>
  );
}
