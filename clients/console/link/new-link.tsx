import { useEffect, useId, useRef, useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { copyText } from '../parts/copy.tsx';
import { useOnline } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { useEscape } from '../parts/keys.ts';
import { toast } from '../parts/toasts.tsx';
import { type Failure, failureOf } from '../service/failures.ts';
import { go } from '../service/location.ts';
import { createLink } from '../service/new-links.ts';
import { useDomains } from '../service/queries.ts';
import { dropDraft, readDraft, writeDraft } from './drafts.ts';
import { bodyOf, changedFields, newValues, type Value } from './fields.ts';
import { LinkForm } from './form.tsx';

type NewLinkProps = {
  readonly workspaceId: string;
  /** What fills the destination. It is never submitted by itself. */
  readonly url: string;
};

/** Makes a link with everything that a link can have. */
export function NewLink({ workspaceId, url }: NewLinkProps) {
  const domains = useDomains();
  const served = domains.data?.filter(({ status }) => status !== 'PENDING_OWNERSHIP') ?? [];
  const [domain, setDomain] = useState<string>();
  const chosen = domain ?? served[0]?.domain ?? '';
  const [values, setValues] = useState(() => ({
    ...newValues(url),
    ...readDraft(localStorage, workspaceId)?.changed,
    ...(url !== '' && { url }),
  }));
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState('');
  const key = useRef({ request: '', key: '' });
  const isOnline = useOnline();
  const id = useId();
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.focus(), []);
  useEffect(() => {
    writeDraft(localStorage, workspaceId, values, changedFields(values, newValues('')));
  }, [workspaceId, values]);
  const leave = () => go({ screen: 'links', url: undefined });
  useEscape(leave);

  const submit = async () => {
    setBusy('Creating…');
    setFailure(undefined);
    const body = { domain: chosen, ...bodyOf(values, changedFields(values, newValues(''))), url: String(values.url).trim() };
    const request = JSON.stringify(body);
    if (key.current.request !== request) key.current = { request, key: crypto.randomUUID() };
    const making = createLink(body, key.current.key, () => setBusy('Checking whether it was saved…'));
    // Started in the key press, or Safari refuses it.
    const copying = copyText(making.then(({ link }) => link.shortUrl));
    try {
      const { link } = await making;
      dropDraft(localStorage, workspaceId);
      toast(`${shortAddress(link.shortUrl)} is created${(await copying) ? ' and copied' : ''}.`, { tone: 'good' });
      go({ screen: 'links', url: undefined, linkId: link.id }, 'replace');
    } catch (error) {
      setFailure(failureOf(error, isOnline, 'links:write'));
      setBusy('');
    }
  };
  const onChange = (name: string, value: Value) => setValues((now) => ({ ...now, [name]: value }));
  return (
    <aside ref={element} className="panel" aria-label="New link" tabIndex={-1}>
      <header className="panel-head">
        <h2>New link</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={leave}>
          <Icon name="close" />
        </button>
      </header>
      <LinkForm
        values={values}
        onChange={onChange}
        changed={[]}
        wrong={failure?.fields ?? {}}
        isBusy={busy !== ''}
        onSubmit={() => void submit()}
        hasPassword={false}
        domain={chosen}
        above={
          <>
            {failure && Object.keys(failure.fields).length === 0 && (
              <p className="notice bad" role="alert">
                {failure.text} Nothing is lost.
              </p>
            )}
            {served.length > 1 && (
              <div className="field">
                <label htmlFor={id}>Domain</label>
                <select id={id} value={chosen} onChange={(event) => setDomain(event.target.value)}>
                  {served.map((one) => (
                    <option key={one.domain}>{one.domain}</option>
                  ))}
                </select>
              </div>
            )}
          </>
        }
        actions={
          <>
            <span className="small" role="status">
              {busy}
            </span>
            <button
              type="button"
              className="button"
              onClick={() => {
                dropDraft(localStorage, workspaceId);
                leave();
              }}
            >
              Cancel
            </button>
            <button type="submit" className="button primary" disabled={busy !== '' || chosen === ''}>
              Create and copy
            </button>
          </>
        }
      />
    </aside>
  );
}
