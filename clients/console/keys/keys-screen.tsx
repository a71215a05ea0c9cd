import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { Button } from '../parts/kit/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { count, fullTime, shortTime } from '../parts/time.ts';
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
      <div className="screen-head">
        <h1>API keys</h1>
        {mayWrite && <Button onClick={() => setOpen({ what: 'new' })}>Create a key</Button>}
      </div>
      <p className="small">
        Programs use a key to call the API. Whoever has the key may do what its permissions say, so keep it secret.
      </p>
      <Loaded query={keys} what="The keys" permission="keys:read">
        {(list) => {
          const ended = list.filter((key) => endedBy(key) !== undefined).length;
          return (
            <>
              <ul className="entries">
                {list
                  .filter((key) => withEnded || endedBy(key) === undefined)
                  .map((key) => (
                    <KeyEntry key={key.id} apiKey={key} me={me} mayWrite={mayWrite} onOpen={setOpen} />
                  ))}
              </ul>
              {ended > 0 && (
                <label className="check">
                  <input type="checkbox" checked={withEnded} onChange={(event) => showEnded(event.target.checked)} />
                  Also show {count(ended)} that ended
                </label>
              )}
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
  const by = ` by ${'name' in createdBy && createdBy.name ? createdBy.name : createdBy.type}`;
  const facts = [
    `created ${shortTime(createdAt)}${by}`,
    lastUsedAt === null ? 'never used' : `used ${shortTime(lastUsedAt)}`,
    ...(ended === undefined && expiresAt !== null ? [`ends ${shortTime(expiresAt)}`] : []),
  ];
  return (
    <li className="entry tall">
      <div className="entry-main">
        <span className="cut">
          <bdi>
            <strong>{name ?? 'Without a name'}</strong>
          </bdi>{' '}
          <span className="mono">{prefix}…</span>
        </span>
        <span className="small long">{permissionsText(permissions)}</span>
        <span className="small long" title={expiresAt === null ? undefined : `Ends ${fullTime(expiresAt)}`}>
          {facts.join(' · ')}
        </span>
      </div>
      <div className="entry-side">
        {isOwn && <span className="badge">This page uses it</span>}
        {ended !== undefined ? (
          <span className="state-word quiet">
            <Icon name="stop" /> {ended === 'revoked' ? `Revoked ${shortTime(revokedAt ?? '')}` : 'Expired'}
          </span>
        ) : (
          replacedBy !== null && (
            <span className="state-word warning">
              <Icon name="clock" /> Replaced
            </span>
          )
        )}
        {mayWrite && !isChangeable && revokedAt === null && <span className="small">has permissions that you lack</span>}
        {isChangeable && revokedAt === null && (
          <Menu
            label={`Actions for the key ${name ?? prefix}`}
            button={<Icon name="more" />}
            items={[
              { label: 'Change…', run: () => onOpen({ what: 'edit', key }) },
              ...(replacedBy === null && ended === undefined
                ? [{ label: 'Replace…', run: () => onOpen({ what: 'rotate', key }) }]
                : []),
              { label: 'Revoke…', isBad: true, run: () => onOpen({ what: 'revoke', key }) },
            ]}
          />
        )}
      </div>
    </li>
  );
}
