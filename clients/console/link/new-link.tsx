import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useRef, useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { SelectField } from '../parts/kit/field.tsx';
import { LoadedLater } from '../parts/loaded.tsx';
import { addressIn, completed } from '../service/destination.ts';
import { wrongAt } from '../service/failures.ts';
import { linkAt } from '../service/links.ts';
import { go, useAddress } from '../service/location.ts';
import { createLink, keepDomain, servedOf, usualDomain } from '../service/new-links.ts';
import { lackText } from '../service/permissions.ts';
import { useDomains, useMay, useTemplates } from '../service/queries.ts';
import type { Link, Template } from '../service/types.ts';
import { DraftNote } from './draft-note.tsx';
import { type Draft, dropDraft, readDraft, writeDraft } from './drafts.ts';
import { bodyOf, changedFields, copiedValues, merge, newValues, type Values } from './fields/fields.ts';
import { templateValues } from './fields/template.ts';
import { hasUtm, inCampaignOf } from './fields/utm.ts';
import { LinkForm } from './form.tsx';
import { aboveForm } from './form-failures.ts';
import { TemplateField } from './template-field.tsx';
import { useFields } from './use-fields.ts';
import { usePageCard } from './use-page-card.tsx';

const ChannelsDialog = lazy(async () => ({ default: (await import('./channels-dialog.tsx')).ChannelsDialog }));

type NewLinkProps = {
  readonly workspaceId: string;
  /** Fills in the destination. It is never submitted by itself. */
  readonly url: string;
};

/** Makes a link with all settings, from scratch or as a copy of another one. */
export function NewLink({ workspaceId, url }: NewLinkProps) {
  const { from } = useAddress();
  const mayWrite = useMay('links:write');
  useEscape(leave, true, 'beside');
  return (
    <aside className="panel" aria-label="New link">
      <header className="panel-head">
        <h2>New link</h2>
        <IconButton icon="close" label="Close" onClick={leave} />
      </header>
      {!mayWrite ? (
        <p className="notice">{lackText('links:write')}</p>
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
  const { values, setValues, change, onChange } = useFields(() => start.values);
  const [older, setOlder] = useState(start.older);
  const chosen = (values.domain as string | undefined) ?? usualDomain(served) ?? '';
  const { data: templates = [] } = useTemplates(useMay('tags:read'));
  const template = templates.find(({ id }) => id === values.templateId);
  const [openedAt] = useState(Date.now);
  /** The destination for which somebody lists channels. */
  const [shared, share] = useState<string>();
  const base = templateValues(template, openedAt);
  const { lookAt, note } = usePageCard(values, (texts) => setValues((now) => ({ ...now, ...texts })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for the form's initial address
  useEffect(() => lookAt(like ? '' : url), []);
  useEffect(() => {
    // Until somebody changes something, an older draft stays.
    if (values === start.values) return;
    const empty = newValues('');
    writeDraft(localStorage, workspaceId, values, [...changedFields(values, empty), ...besideFields(values)], empty);
  }, [workspaceId, values, start]);

  // A copy stays in its campaign, whatever its destination.
  const former = useRef(like?.url);
  const destination = (url: string): string => {
    const made = former.current === undefined ? url : inCampaignOf(former.current, url);
    if (like && url !== '') former.current = made;
    return made;
  };
  const choose = (next: Template | undefined) => {
    const isServed = served.some(({ domain }) => domain === next?.domain);
    const domain = isServed ? next?.domain : values.domain;
    const { values: merged } = merge(values, base, templateValues(next, openedAt));
    change.forget();
    setValues({ ...merged, ...(domain && { domain }), ...(next && { templateId: next.id }) });
  };
  const whole = () => completed(destination(String(values.url)));
  const submit = () =>
    change.run(async (say) => {
      const body = {
        domain: chosen,
        ...(template && { templateId: template.id }),
        ...bodyOf(values, changedFields(values, base)),
        url: whole(),
      };
      const making = createLink(body, say);
      // Must start in the key press: otherwise Safari refuses it.
      const copying = copyText(making.then(({ value }) => value.shortUrl));
      const { value: link } = await making;
      dropDraft(localStorage, workspaceId);
      const isCopied = await copying;
      go({ screen: 'links', url: undefined, from: undefined, linkId: link.id }, 'replace');
      return {
        text: `${shortAddress(link.shortUrl)} is created${isCopied ? ' and copied' : ''}.`,
        next: hasUtm(link.url)
          ? { label: 'New link like this', run: () => go({ screen: 'new', linkId: undefined, from: link.id }) }
          : undefined,
      };
    });
  const { failure } = change;
  const said = aboveForm(failure, ['domain', 'templateId']);
  const wrongDomain = wrongAt(failure?.paths ?? {}, 'domain');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to events of the destination
    <div
      className="new-link"
      onPaste={(event) => isDestination(event.target) && lookAt(event.clipboardData.getData('text'))}
      onBlur={(event) => {
        if (!isDestination(event.target)) return;
        lookAt(event.target.value);
        const made = destination(event.target.value);
        if (made !== event.target.value) onChange('url', made);
      }}
    >
      <LinkForm
        values={values}
        onChange={onChange}
        changed={[]}
        change={change}
        replacesUrl={like !== undefined}
        onSubmit={() => void submit()}
        hasPassword={false}
        domain={chosen}
        {...(like && { ownTags: like.tags })}
        notes={{ title: note }}
        above={
          <>
            {older && (
              <DraftNote
                onContinue={() => {
                  setValues({ ...newValues(''), ...older.changed });
                  setOlder(undefined);
                }}
                onDiscard={() => {
                  dropDraft(localStorage, workspaceId);
                  setOlder(undefined);
                }}
              />
            )}
            {like?.hasPassword && <p className="notice">The password is not copied. Set a new one under Access.</p>}
            {said !== undefined && (
              <p className="notice bad" role="alert">
                {said} Nothing is lost.
              </p>
            )}
            <TemplateField
              templates={templates}
              chosen={template}
              message={wrongAt(failure?.paths ?? {}, 'templateId')}
              onChoose={choose}
            />
            {(served.length > 1 || wrongDomain !== undefined) && (
              <SelectField
                label="Domain"
                message={wrongDomain}
                value={chosen}
                options={served.map((one) => [one.domain, one.domain])}
                onChoose={(domain) => {
                  keepDomain(domain);
                  onChange('domain', domain);
                }}
              />
            )}
          </>
        }
        actions={
          <>
            <span className="small" role="status">
              {change.isBusy && (change.said || 'Creating…')}
            </span>
            <Button
              onClick={() => {
                dropDraft(localStorage, workspaceId);
                leave();
              }}
            >
              Cancel
            </Button>
            <Button disabled={change.isBusy || addressIn(String(values.url)) === undefined} onClick={() => share(whole())}>
              Several channels…
            </Button>
            <Button kind="primary" isSubmit disabled={change.isBusy || chosen === ''}>
              Create and copy
            </Button>
          </>
        }
      />
      <LoadedLater>
        {shared !== undefined && (
          <ChannelsDialog
            values={{ ...values, url: shared }}
            domain={chosen}
            ownTags={like?.tags ?? []}
            onClose={() => share(undefined)}
          />
        )}
      </LoadedLater>
    </div>
  );
}

/** The form's chosen values besides the fields of a link. */
const besideFields = (values: Values) => ['domain', 'templateId'].filter((name) => values[name]);

const isDestination = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.dataset.field === 'url';

/**
 * The initial values. A draft for the same address continues by itself, for example after a reload; another one is
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
