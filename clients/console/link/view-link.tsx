import { type ReactNode, useState } from 'react';
import { redirectAdvice } from '../../../lambdas/core/webhook/webhook.ts';
import { removeLink, shortAddress, switchLink } from '../parts/actions.ts';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Button } from '../parts/kit/button.tsx';
import { CodeActions } from '../parts/link/code-actions.tsx';
import { DeleteDialog } from '../parts/link/delete-dialog.tsx';
import { QrImage } from '../parts/link/qr.tsx';
import { QrDialog } from '../parts/link/qr-dialog.tsx';
import { stateMeanings } from '../parts/link/state.ts';
import { StateBadge } from '../parts/link/state-badge.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count, counted, fullTime, shortTime } from '../parts/time.ts';
import { addressAbout, go } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { dropDraft, readDraft } from './drafts.ts';
import { LastChange, RecentClicks } from './lately.tsx';

/** What a link is. */
export function ViewLink({ link }: { readonly link: Link }) {
  const [dialog, open] = useState<'delete' | 'code'>();
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
              { label: 'Delete…', isBad: true, run: () => open('delete') },
            ]}
          />
        </p>
      )}
      <DraftNote link={link} />
      <div className="facts">
        <StateBadge link={link} />
        <span>
          {counted(link.clickCount, 'click')}
          {link.lastClickedAt && <span title={fullTime(link.lastClickedAt)}> · last {shortTime(link.lastClickedAt)}</span>}
        </span>
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
      {link.title !== null && (
        <p className="title">
          <bdi>{link.title}</bdi>
        </p>
      )}
      {link.tags.length > 0 && (
        <p className="actions">
          {link.tags.map(({ id, name, color }) => (
            <span key={id} className="chip plain">
              <span className="dot" style={{ background: color }} />
              <bdi>{name}</bdi>
            </span>
          ))}
        </p>
      )}
      <RecentClicks link={link} />
      <section className="code" aria-label="QR code">
        <QrImage id={link.id} name={shortAddress(link.shortUrl)} width={96} />
        <CodeActions link={link} onChangeLook={() => open('code')} />
      </section>
      <InUse link={link} />
      <LastChange link={link} />
      {dialog === 'code' && <QrDialog link={link} onClose={() => open(undefined)} />}
      {dialog === 'delete' && <DeleteDialog links={[link]} onClose={() => open(undefined)} onDelete={() => void remove()} />}
    </div>
  );
}

/** Where visitors get whom no rule sends elsewhere: with variants, only to those. */
function destinationsOf({ url, variants }: Link): readonly { readonly url: string; readonly share: string | undefined }[] {
  if (variants.length === 0) return [{ url, share: undefined }];
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  return variants.map((variant) => ({ url: variant.url, share: `${Math.round((variant.weight / sum) * 100)} %` }));
}

/** Offers changes that were not saved. */
function DraftNote({ link }: { readonly link: Link }) {
  const [isThere, setThere] = useState(() => readDraft(localStorage, link.id) !== undefined);
  if (!isThere) return null;
  return (
    <div className="notice warning">
      <p>Unsaved changes kept.</p>
      <p className="actions">
        <Button onClick={() => go({ isEditing: true }, 'replace')}>Continue</Button>
        <Button
          onClick={() => {
            dropDraft(localStorage, link.id);
            setThere(false);
          }}
        >
          Discard
        </Button>
      </p>
    </div>
  );
}

const time = (at: string): ReactNode => <time dateTime={at}>{fullTime(at)}</time>;

const webhookStates = {
  ok: '',
  failing: 'failing',
  paused: 'paused: failing for three days',
  gone: 'gone: it answered 410',
  no_secret: 'without a secret',
} as const;

/** The link's own webhooks, and how they do. */
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

/** The settings that the link uses, in words. */
function InUse({ link }: { readonly link: Link }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Starts', link.startsAt && time(link.startsAt)],
    ['Expires', link.expiresAt && time(link.expiresAt)],
    ['Afterwards', link.expiredUrl && <bdi>{shortAddress(link.expiredUrl)}</bdi>],
    ['Most visits', link.maxClicks !== null && count(link.maxClicks)],
    ['Password', link.hasPassword && 'Set'],
    ['Asks first', link.confirmVisit && 'Visitors confirm that they want to go there'],
    ['Programs', link.blockBots && 'Kept out'],
    ['Parameters', link.forwardParameters && 'Passed on'],
    ['Paths', link.forwardPath && 'Passed on'],
    ['Referrer', link.hideReferrer && 'Hidden from the destination'],
    ['Rules', link.rules.length > 0 && counted(link.rules.length, 'rule')],
    ['Variants', link.variants.length > 0 && link.variants.map(({ id, weight }) => `${id} ${weight}`).join(' : ')],
    ['Cloaked', link.cloaked && 'The destination is shown under the short address'],
    ['Description', link.description && <bdi>{link.description}</bdi>],
    ['Picture', link.image && <bdi>{shortAddress(link.image)}</bdi>],
    ['Redirect', link.redirectType === 'PERMANENT_301' && 'Permanent, 301'],
    ['Former addresses', link.aliases.length > 0 && <bdi>{link.aliases.join(', ')}</bdi>],
    ['Tracking', [link.metaPixelId && 'Meta Pixel', link.googleTagId && 'Google tag'].filter(Boolean).join(', ')],
    ['Webhooks', link.webhookUrls && <Webhooks link={link} />],
    ['External id', link.externalId && <bdi>{link.externalId}</bdi>],
    ['Managed by', link.managedBy && `${link.managedBy}, which may change it back`],
    ['Note', link.notes && <bdi>{link.notes}</bdi>],
    ['Made again from', link.restoredFrom && <PageLink to={addressAbout('history', link.restoredFrom)}>a deleted link</PageLink>],
    ['Created', time(link.createdAt)],
  ];
  return (
    <dl className="in-use">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
