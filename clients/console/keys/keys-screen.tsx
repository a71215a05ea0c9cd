import { useState } from 'react';
import { actorName } from '../parts/actor.ts';
import { Icon } from '../parts/icons.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Check } from '../parts/kit/field.tsx';
import { Empty, ListHead } from '../parts/kit/list.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { counted, fullTime, shortTime } from '../parts/time.ts';
import { useMay } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { RevokeKey, RotateKey } from './end-key.tsx';
import { KeyForm } from './key-form.tsx';
import { type ApiKey, useKeys } from './list.ts';
import { endedBy, isWithin, permissionsText } from './words.ts';

type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'rotate' | 'revoke'; readonly key: ApiKey };

/** The API keys of the workspace. */
export function KeysScreen({ me }: { readonly me: Me }) {
  const keys = useKeys();
  const mayWrite = useMay('keys:write');
  const [withEnded, showEnded] = useState(false);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <div className="screen">
      <ListHead title="API keys" action={mayWrite && 'Create a key'} onAction={() => setOpen({ what: 'new' })} />
      <p className="small">
        Programs use a key to call the API. Anyone who has the key can do everything that its permissions allow, so keep it
        secret.
      </p>
      <Loaded query={keys} what="The keys" permission="keys:read">
        {(list) => {
          const ended = list.filter((key) => endedBy(key) !== undefined).length;
          return (
            <>
              {list.length === 0 && <Empty text="No keys yet. A program needs one to make links, for example." />}
              <ul className="entries">
                {list
                  .filter((key) => withEnded || endedBy(key) === undefined)
                  .map((key) => (
                    <KeyEntry key={key.id} apiKey={key} me={me} mayWrite={mayWrite} onOpen={setOpen} />
                  ))}
              </ul>
              {ended > 0 && <Check label={`Also show ${counted(ended, 'ended key')}`} isOn={withEnded} onSwitch={showEnded} />}
            </>
          );
        }}
      </Loaded>
      {open?.what === 'new' && <KeyForm me={me} onClose={close} />}
      {open?.what === 'edit' && <KeyForm me={me} apiKey={open.key} onClose={close} />}
      {open?.what === 'rotate' && <RotateKey apiKey={open.key} isOwn={open.key.id === me.key.id} onClose={close} />}
      {open?.what === 'revoke' && <RevokeKey apiKey={open.key} isOwn={open.key.id === me.key.id} onClose={close} />}
    </div>
  );
}

type KeyEntryProps = {
  readonly apiKey: ApiKey;
  readonly me: Me;
  readonly mayWrite: boolean;
  readonly onOpen: (open: Open) => void;
};

function KeyEntry({ apiKey: key, me, mayWrite, onOpen }: KeyEntryProps) {
  const { id, name, prefix, permissions, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, replacedBy } = key;
  const ended = endedBy(key);
  const isOwn = id === me.key.id;
  const isChangeable = mayWrite && isWithin(key, me.key.permissions);
  const by = createdBy.type === 'operator' ? ' by the operator' : ` by ${actorName({ actor: createdBy })}`;
  const facts = [
    `created ${shortTime(createdAt)}${by}`,
    lastUsedAt === null ? 'never used' : `used ${shortTime(lastUsedAt)}`,
    ...(ended === undefined && expiresAt !== null ? [`expires ${shortTime(expiresAt)}`] : []),
  ];
  return (
    <Entry
      className="tall"
      side={
        <>
          {isOwn && <span className="badge">This page uses it</span>}
          {ended === 'revoked' ? (
            <Status icon="stop" tone="quiet" word={`Revoked ${shortTime(revokedAt ?? '')}`} />
          ) : ended === 'expired' ? (
            <Status icon="stop" tone="quiet" word="Expired" />
          ) : (
            replacedBy !== null && <Status icon="clock" tone="warning" word="Replaced" />
          )}
          {mayWrite && !isChangeable && revokedAt === null && <span className="small">has permissions that you don’t have</span>}
          {isChangeable && revokedAt === null && (
            <Menu
              label={`Actions for the key ${name ?? prefix}`}
              button={<Icon name="more" />}
              items={[
                { label: 'Edit…', run: () => onOpen({ what: 'edit', key }) },
                ...(replacedBy === null && ended === undefined
                  ? [{ label: 'Replace…', run: () => onOpen({ what: 'rotate', key }) }]
                  : []),
                { label: 'Revoke…', isBad: true, run: () => onOpen({ what: 'revoke', key }) },
              ]}
            />
          )}
        </>
      }
    >
      <span className="cut">
        <bdi>
          <strong>{name ?? 'Unnamed'}</strong>
        </bdi>{' '}
        <span className="mono">{prefix}…</span>
      </span>
      <span className="small long">{permissionsText(permissions)}</span>
      <span className="small long" title={expiresAt === null ? undefined : `Expires ${fullTime(expiresAt)}`}>
        {facts.join(' · ')}
      </span>
    </Entry>
  );
}
