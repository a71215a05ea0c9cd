import type { ReactNode } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { useChange } from '../parts/kit/change.tsx';
import { Status } from '../parts/kit/status.tsx';
import { fullTime, shortTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { patiently } from '../service/patience.ts';
import { domainAt } from '../service/resources.ts';
import type { DomainDetails } from '../service/types.ts';
import { adviceOf, type PathStep, pathOf } from './path.ts';
import { seenText, statusOf } from './status.ts';

/** What to do until links on a domain work, and a button that checks again. */
export function Steps({ domain, mayWrite }: { readonly domain: DomainDetails; readonly mayWrite: boolean }) {
  const { domain: name, status, records, verifiedAt, certificate } = domain;
  const words = statusOf(domain);
  const isProven = status !== 'PENDING_OWNERSHIP';
  return (
    <section className="stack wide-gap" aria-label="Set-up">
      <Status {...words} isLive />
      {certificate && <Trouble certificate={certificate} />}
      <ol className="steps">
        <Step isDone={isProven} title={isProven ? 'Ownership is proven' : 'Prove that you own the domain. Add this DNS record:'}>
          {isProven
            ? verifiedAt && <p className="small">Since {fullTime(verifiedAt)}. Keep the record: it is checked every day.</p>
            : null}
          <RecordOf domain={domain} type="TXT" isOpen={!isProven} />
        </Step>
        {certificate ? (
          pathOf({ domain: name, certificate }).map((step) => (
            <ManagedStep key={step.name} step={step} certificate={certificate} />
          ))
        ) : (
          <PointingSteps domain={domain} />
        )}
      </ol>
      {mayWrite && (records.length > 0 || certificate) && <CheckNow name={name} isActive={words.tone === 'good'} />}
    </section>
  );
}

/** The steps after the ownership if the service makes no certificates. */
function PointingSteps({ domain }: { readonly domain: DomainDetails }) {
  const { domain: name, covered } = domain;
  const isActive = domain.status === 'ACTIVE';
  return (
    <>
      <Step isDone={isActive} title={isActive ? 'The domain points here' : 'Point the domain here. Add this DNS record:'}>
        <RecordOf domain={domain} type="CNAME" isOpen={!isActive} />
        {!covered && (
          <p className="notice warning">
            The operator has not set up {name} on this service yet. Until then, visitors cannot reach it.
          </p>
        )}
      </Step>
      <Step isDone={isActive} title="Links work" />
    </>
  );
}

type Certificate = NonNullable<DomainDetails['certificate']>;

/** Why a certificate has stopped or needs attention, what that means, and what to do. */
function Trouble({ certificate }: { readonly certificate: Certificate }) {
  const advice = adviceOf(certificate);
  if (advice === undefined) return null;
  return (
    <div className={`notice ${certificate.status === 'FAILED' ? 'bad' : 'warning'}`} role="alert">
      {certificate.detail && (
        <p>
          <bdi>{certificate.detail}</bdi>
        </p>
      )}
      <p>{advice}</p>
      <Checked at={certificate.checkedAt} />
    </div>
  );
}

/** A step of a managed domain, with the record to set and what the DNS showed. */
function ManagedStep({ step, certificate }: { readonly step: PathStep; readonly certificate: Certificate }) {
  const { name, isDone, isNext, title, record } = step;
  return (
    <Step isDone={isDone} title={title}>
      {name === 'certificate' && isDone && <p className="small">Keep its record: it renews the certificate.</p>}
      {record && <RecordTable record={record} of={name === 'certificate' ? 'certificate' : 'traffic'} isOpen={!isDone} />}
      {name === 'traffic' && record && !isDone && (
        <p className="small">
          If your DNS provider doesn’t allow a CNAME here, as for acme.com itself, use ALIAS, ANAME or CNAME flattening with the
          same value.
        </p>
      )}
      {isNext && adviceOf(certificate) === undefined && (
        <>
          {certificate.detail && (
            <p>
              <bdi>{certificate.detail}</bdi>
            </p>
          )}
          <Checked at={certificate.checkedAt} />
        </>
      )}
    </Step>
  );
}

const Checked = ({ at }: { readonly at: string | null }) =>
  at !== null && (
    <p className="small" title={fullTime(at)}>
      Checked {shortTime(at)}.
    </p>
  );

const Step = ({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly children?: ReactNode;
}) => (
  <li className="step">
    <span className={isDone ? 'state-word good' : 'state-word small'}>
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

/** A record to set, with what the last check found. */
function RecordOf({ domain: { records, lastCheck }, type, isOpen }: RecordProps) {
  const record = records.find((one) => one.type === type);
  if (!record) return null;
  return (
    <>
      <RecordTable record={record} of={type} isOpen={isOpen} />
      {lastCheck?.wanted.type === type && (
        <p className="small" title={fullTime(lastCheck.at)}>
          Checked {shortTime(lastCheck.at)}: <bdi>{seenText(lastCheck)}</bdi>.
        </p>
      )}
    </>
  );
}

type TableProps = {
  readonly record: DomainDetails['records'][number];
  /** The record's purpose, for the names of the buttons. */
  readonly of: string;
  readonly isOpen: boolean;
};

/** The parts of a record, each with a button that copies it; folded if there is nothing to do. */
function RecordTable({ record: { type, name, value }, of, isOpen }: TableProps) {
  const table = (
    <dl className="record">
      <div>
        <dt>Type</dt>
        <dd className="mono">{type}</dd>
      </div>
      <div>
        <dt>Name</dt>
        <dd>
          <bdi className="mono">{name}</bdi>
          <CopyButton text={name} what={`name of the ${of} record`} />
        </dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd>
          <bdi className="mono">{value}</bdi>
          <CopyButton text={value} what={`value of the ${of} record`} />
        </dd>
      </div>
    </dl>
  );
  return isOpen ? (
    <>
      {table}
      <p className="small">
        Many DNS providers add the domain to each name by themselves. There, leave it out of the name; for the domain itself,
        enter @.
      </p>
    </>
  ) : (
    <details>
      <summary className="small">The record</summary>
      {table}
    </details>
  );
}

function CheckNow({ name, isActive }: { readonly name: string; readonly isActive: boolean }) {
  const { isBusy, note, error, run } = useChange('domains:write');
  const check = async () => {
    if (isBusy) return;
    await run(async (say) => {
      try {
        await patiently(() => api.POST('/api/v1/domains/{domain}/verify', { params: { path: { domain: name } } }), say);
        return { text: `${name} is checked.` };
      } finally {
        domainAt(name).refresh();
      }
    });
  };
  usePageKeys({ r: () => void check() });
  const failed = error instanceof ProblemError && error.code === 'domain_check_failed' ? error : undefined;
  return (
    <div className="stack">
      <p className="actions">
        <Button kind={isActive ? 'plain' : 'primary'} disabled={isBusy} onClick={check}>
          {isBusy ? 'Checking…' : 'Check now'}
        </Button>
      </p>
      {failed ? (
        <div className="notice warning" role="alert">
          {(failed.errors.length > 0 ? failed.errors : [{ path: '', message: failed.detail }]).map(({ path, message }) => (
            <p key={path + message}>
              <bdi>{message.charAt(0).toUpperCase() + message.slice(1)}.</bdi>
            </p>
          ))}
          <p className="small">It can take an hour until DNS changes are visible.</p>
        </div>
      ) : (
        note
      )}
    </div>
  );
}
