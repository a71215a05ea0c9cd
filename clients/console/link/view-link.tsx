import { type ReactNode, useState } from 'react';
import { redirectAdvice } from '../../../lambdas/core/webhook/webhook.ts';
import { archiveLink, removeLink, shortAddress, switchLink } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Chip } from '../parts/kit/chip.tsx';
import { CodeActions } from '../parts/link/code-actions.tsx';
import { DeleteLinks } from '../parts/link/delete-links.tsx';
import { QrImage } from '../parts/link/qr.tsx';
import { QrDialog } from '../parts/link/qr-dialog.tsx';
import { stateMeanings } from '../parts/link/state.ts';
import { StateBadge } from '../parts/link/state-badge.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { fullTime } from '../parts/time.ts';
import { addressAbout, go } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { DraftNote } from './draft-note.tsx';
import { dropDraft, readDraft } from './drafts.ts';
import { fields, valuesOf } from './fields/fields.ts';
import { settingText } from './fields/texts.ts';
import { Figures, LastChange, RecentClicks } from './lately.tsx';

/** A link with its settings and recent activity. */
export function ViewLink({ link }: { readonly link: Link }) {
  const [dialog, open] = useState<'delete' | 'code'>();
  const [hasDraft, setDraft] = useState(() => readDraft(localStorage, link.id) !== undefined);
  const mayWrite = useMay('links:write');
  const edit = () => go({ isEditing: true }, 'replace');
  usePageKeys(mayWrite ? { e: edit } : {});
  const remove = async () => {
    open(undefined);
    if (await removeLink(link)) go({ linkId: undefined }, 'replace');
  };
  return (
    <div className="panel-body">
      {mayWrite && (
        <p className="actions">
          <Button onClick={edit}>Edit</Button>
          <Button onClick={() => switchLink(link)}>{link.isActive ? 'Switch off' : 'Switch on'}</Button>
          <Menu
            label="More actions"
            button={<Icon name="more" />}
            items={[
              { label: 'Duplicate', run: () => go({ screen: 'new', linkId: undefined, from: link.id }) },
              { label: link.isArchived ? 'Take out of the archive' : 'Archive', run: () => void archiveLink(link) },
              { label: 'Delete…', isBad: true, run: () => open('delete') },
            ]}
          />
        </p>
      )}
      {hasDraft && (
        <DraftNote
          onContinue={edit}
          onDiscard={() => {
            dropDraft(localStorage, link.id);
            setDraft(false);
          }}
        />
      )}
      <div className="facts">
        <StateBadge link={link} />
      </div>
      {stateMeanings[link.state] && <p className="small">{stateMeanings[link.state]}</p>}
      {destinationsOf(link).map(({ url, share }) => (
        <p key={`${url} ${share}`} className="destination">
          →{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            <bdi>{shortAddress(url)}</bdi> <Icon name="open" />
          </a>
          {share !== undefined && <span className="small"> {share} of the visitors</span>}
        </p>
      ))}
      {link.tags.length > 0 && (
        <p className="actions">
          {link.tags.map(({ id, name, color }) => (
            <Chip key={id} color={color}>
              {name}
            </Chip>
          ))}
        </p>
      )}
      <Figures link={link} />
      <RecentClicks link={link} />
      <section className="code" aria-label="QR code">
        <QrImage id={link.id} name={shortAddress(link.shortUrl)} width={96} />
        <CodeActions link={link} onChangeLook={() => open('code')} />
      </section>
      <InUse link={link} />
      <LastChange link={link} />
      {dialog === 'code' && <QrDialog link={link} onClose={() => open(undefined)} />}
      {dialog === 'delete' && <DeleteLinks links={[link]} onClose={() => open(undefined)} onDelete={() => void remove()} />}
    </div>
  );
}

/** The destinations of visitors whom no rule sends elsewhere: the variants, or else the link's own. */
function destinationsOf({ url, variants }: Link): readonly { readonly url: string; readonly share: string | undefined }[] {
  if (variants.length === 0) return [{ url, share: undefined }];
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  return variants.map((variant) => ({ url: variant.url, share: `${Math.round((variant.weight / sum) * 100)} %` }));
}

const webhookStates = {
  ok: '',
  failing: 'failing',
  paused: 'paused after three days of failures',
  gone: 'stopped: it answered 410 Gone',
  no_secret: 'no secret',
} as const;

/** The link's own webhooks, and their status. */
function Webhooks({ link }: { readonly link: Link }) {
  return link.webhookUrls?.split(',').map((url) => {
    const status = link.webhookStatus?.find((one) => one.url === url);
    const word = status && (webhookStates[status.state] ?? status.state);
    return (
      <span key={url} className="webhook">
        <bdi>{shortAddress(url)}</bdi>
        {word && (
          <span className="small" title={status.error ?? undefined}>
            {' '}
            {word}
            {status.since && ` since ${fullTime(status.since)}`}
            {status.redirectsTo && `. ${redirectAdvice(status.redirectsTo)}`}
          </span>
        )}
      </span>
    );
  });
}

/** The settings that the page already shows above. */
const shownAbove = ['url', 'customSlug', 'title', 'tagIds', 'isActive'];

/** The link's non-default settings, in words. */
function InUse({ link }: { readonly link: Link }) {
  const values = valuesOf(link);
  const others: Readonly<Record<string, ReactNode>> = {
    webhookUrls: link.webhookUrls && <Webhooks link={link} />,
    managedBy: link.managedBy && `${link.managedBy}, which may change it back`,
  };
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...fields
      .filter(({ name }) => !shownAbove.includes(name))
      .map(
        (setting) =>
          [setting.label, others[setting.name] ?? settingText(setting, values[setting.name] ?? null, link.hasPassword)] as const,
      ),
    ['Former addresses', link.aliases.length > 0 && <bdi>{link.aliases.join(', ')}</bdi>],
    ['Recreated from', link.restoredFrom && <PageLink to={addressAbout('history', link.restoredFrom)}>a deleted link</PageLink>],
    ['Created', fullTime(link.createdAt)],
  ];
  return (
    <dl className="in-use">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
