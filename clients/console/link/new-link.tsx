import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { copyText } from '../parts/copy.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { useEscape } from '../parts/keys.ts';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import { completed } from '../service/destination.ts';
import { wrongAt } from '../service/failures.ts';
import { linkAt } from '../service/links.ts';
import { go, useAddress } from '../service/location.ts';
import { createLink, keepDomain, servedOf, usualDomain } from '../service/new-links.ts';
import { useDomains, useMay } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { type Draft, dropDraft, readDraft, writeDraft } from './drafts.ts';
import { Below } from './fields/below.tsx';
import { bodyOf, changedFields, copiedValues, newValues, type Values } from './fields/fields.ts';
import { LinkForm } from './form.tsx';
import { aboveForm } from './form-failures.ts';
import { useFields } from './use-fields.ts';
import { usePageCard } from './use-page-card.tsx';

type NewLinkProps = {
  readonly workspaceId: string;
  /** What fills the destination. It is never submitted by itself. */
  readonly url: string;
};

/** Makes a link with everything that a link can have, from nothing or like another one. */
export function NewLink({ workspaceId, url }: NewLinkProps) {
  const { from } = useAddress();
  const mayWrite = useMay('links:write');
  useEscape(leave, true, 'beside');
  return (
    <aside className="panel" aria-label="New link">
      <header className="panel-head">
        <h2>New link</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={leave}>
          <Icon name="close" />
        </button>
      </header>
      {!mayWrite ? (
        <p className="notice">You need the permission links:write. Ask an owner.</p>
      ) : from === undefined ? (
        <NewLinkForm workspaceId={workspaceId} url={url} />
      ) : (
        <Duplicate workspaceId={workspaceId} id={from} />
      )}
    </aside>
  );
}

const leave = () => go({ screen: 'links', url: undefined, from: undefined });

function Duplicate({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }) {
  const { data, error, refetch } = useQuery(linkAt(id).query);
  if (data) return <NewLinkForm workspaceId={workspaceId} url={data.value.url} like={data.value} />;
  if (!error) return <p className="hidden" aria-busy="true" />;
  return (
    <FailureNote error={error} what="The link could not be loaded." permission="links:read" onRetry={() => void refetch()} />
  );
}

type FormProps = NewLinkProps & { readonly like?: Link };

function NewLinkForm({ workspaceId, url, like }: FormProps) {
  const domains = useDomains();
  const served = servedOf(domains.data);
  const [start] = useState(() => beginning(workspaceId, url, like));
  const { values, setValues, failure, failures, onChange, fail, clear } = useFields(() => start.values);
  const [older, setOlder] = useState(start.older);
  const [busy, setBusy] = useState('');
  const id = useId();
  const chosen = (values.domain as string | undefined) ?? usualDomain(served) ?? '';
  const { lookAt, note } = usePageCard(values, (texts) => setValues((now) => ({ ...now, ...texts })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for the address that the form begins with
  useEffect(() => lookAt(like ? '' : url), []);
  useEffect(() => {
    // Until somebody has changed something, what was kept before is worth more.
    if (values === start.values) return;
    const empty = newValues('');
    writeDraft(localStorage, workspaceId, values, [...changedFields(values, empty), ...(values.domain ? ['domain'] : [])], empty);
  }, [workspaceId, values, start]);

  const submit = async () => {
    setBusy('Creating…');
    clear();
    const body = { domain: chosen, ...bodyOf(values, changedFields(values, newValues(''))), url: completed(String(values.url)) };
    const making = createLink(body, (text) => setBusy(text || 'Creating…'));
    // Started in the key press, or Safari refuses it.
    const copying = copyText(making.then(({ value }) => value.shortUrl));
    try {
      const { value: link } = await making;
      dropDraft(localStorage, workspaceId);
      toast(`${shortAddress(link.shortUrl)} is created${(await copying) ? ' and copied' : ''}.`, { tone: 'good' });
      go({ screen: 'links', url: undefined, from: undefined, linkId: link.id }, 'replace');
    } catch (error) {
      fail(error);
      setBusy('');
    }
  };
  const said = aboveForm(failure, ['domain']);
  const wrongDomain = wrongAt(failure?.paths ?? {}, 'domain');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears when the destination is pasted or left
    <div
      className="new-link"
      onPaste={(event) => isDestination(event.target) && lookAt(event.clipboardData.getData('text'))}
      onBlur={(event) => isDestination(event.target) && lookAt(event.target.value)}
    >
      <LinkForm
        values={values}
        onChange={onChange}
        changed={[]}
        paths={failure?.paths ?? {}}
        failures={failures}
        isBusy={busy !== ''}
        onSubmit={() => void submit()}
        hasPassword={false}
        domain={chosen}
        {...(like && { ownTags: like.tags })}
        notes={{ title: note }}
        above={
          <>
            {older && (
              <div className="notice warning">
                <p>Unsaved changes kept.</p>
                <p className="actions">
                  <Button
                    onClick={() => {
                      setValues({ ...newValues(''), ...older.changed });
                      setOlder(undefined);
                    }}
                  >
                    Continue
                  </Button>
                  <Button
                    onClick={() => {
                      dropDraft(localStorage, workspaceId);
                      setOlder(undefined);
                    }}
                  >
                    Discard
                  </Button>
                </p>
              </div>
            )}
            {like?.hasPassword && <p className="notice">The password is not copied. Set one under Access.</p>}
            {said !== undefined && (
              <p className="notice bad" role="alert">
                {said} Nothing is lost.
              </p>
            )}
            {(served.length > 1 || wrongDomain !== undefined) && (
              <div className="field">
                <label htmlFor={id}>Domain</label>
                <select
                  id={id}
                  value={chosen}
                  aria-invalid={wrongDomain !== undefined || undefined}
                  aria-describedby={`${id}-hint`}
                  onChange={(event) => {
                    keepDomain(event.target.value);
                    onChange('domain', event.target.value);
                  }}
                >
                  {served.map((one) => (
                    <option key={one.domain}>{one.domain}</option>
                  ))}
                </select>
                <Below id={id} message={wrongDomain} />
              </div>
            )}
          </>
        }
        actions={
          <>
            <span className="small" role="status">
              {busy}
            </span>
            <Button
              onClick={() => {
                dropDraft(localStorage, workspaceId);
                leave();
              }}
            >
              Cancel
            </Button>
            <Button kind="primary" isSubmit disabled={busy !== '' || chosen === ''}>
              Create and copy
            </Button>
          </>
        }
      />
    </div>
  );
}

const isDestination = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.dataset.field === 'url';

/**
 * What the form begins with. What was kept goes on by itself if it is of the same address, as after a reload; otherwise it is
 * offered.
 */
function beginning(
  workspaceId: string,
  url: string,
  like: Link | undefined,
): { readonly values: Values; readonly older: Draft | undefined } {
  const values = like ? { ...copiedValues(like), domain: like.domain } : newValues(url);
  const draft = readDraft(localStorage, workspaceId);
  if (draft === undefined) return { values, older: undefined };
  const isSame = !like && (url === '' || draft.changed.url === url);
  return isSame ? { values: { ...values, ...draft.changed }, older: undefined } : { values, older: draft };
}
