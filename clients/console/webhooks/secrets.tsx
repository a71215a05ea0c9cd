import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Confirm } from '../parts/kit/confirm.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { ShownOnce } from '../parts/kit/shown-once.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { shortTime } from '../parts/time.ts';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { deleteSurely } from '../service/patience.ts';
import { listed, queries, useMay } from '../service/queries.ts';

const refresh = (): void => {
  void queries.invalidateQueries({ queryKey: ['webhook-secrets'] });
  void queries.invalidateQueries({ queryKey: ['webhook'] });
};

/** The valid secrets of a webhook, or with null those of all links' own webhooks. */
export function Secrets({ webhookId }: { readonly webhookId: string | null }) {
  const secrets = useQuery(listed('webhook-secrets', (init) => api.pages('/api/v1/webhook-secrets', init)));
  const mayWrite = useMay('webhooks:write');
  const [made, setMade] = useState<string>();
  const [ending, end] = useState<string>();
  const { isBusy, note, run } = useChange('webhooks:write');
  const create = () =>
    run(async (say) => {
      const { data } = await keyed('secret', { webhookId }, say, (init) => api.POST('/api/v1/webhook-secrets', init));
      setMade(data.secret);
      refresh();
      return {};
    });
  return (
    <>
      <Loaded query={secrets} what="The secrets" permission="webhooks:read">
        {(list) => {
          const own = list.filter((secret) => secret.webhookId === webhookId);
          return (
            <>
              {own.length === 0 && <p>No secrets yet.</p>}
              <ul className="entries">
                {own.map(({ id, createdAt, expiresAt }) => (
                  <Entry
                    key={id}
                    side={
                      mayWrite && (
                        <Button kind="bad" aria-label={`Delete… the secret ${id}`} onClick={() => end(id)}>
                          Delete…
                        </Button>
                      )
                    }
                  >
                    <span className="mono cut">{id}</span>
                    <span className="small">
                      created {shortTime(createdAt)}
                      {expiresAt === null ? '' : `, expires ${shortTime(expiresAt)}`}
                    </span>
                  </Entry>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
      {mayWrite && (
        <>
          <p className="small">
            To replace a secret, create a new one and give it to your server within 24 hours. Until then, everything is signed
            with both.
          </p>
          {note}
          <p className="actions">
            <Button disabled={isBusy} onClick={create}>
              New secret
            </Button>
          </p>
        </>
      )}
      {made !== undefined && <ShownOnce title="New secret" what="secret" text={made} onClose={() => setMade(undefined)} />}
      {ending !== undefined && (
        <Confirm
          title="Delete this secret?"
          action="Delete secret"
          permission="webhooks:write"
          onClose={() => end(undefined)}
          run={async (say) => {
            const params = { path: { id: ending } };
            await deleteSurely(() => api.DELETE('/api/v1/webhook-secrets/{id}', { params }), say);
            refresh();
            return { text: 'The secret is deleted.' };
          }}
        >
          <p>From now on, nothing is signed with it. If it is the only one, nothing can be sent until there is another one.</p>
        </Confirm>
      )}
    </>
  );
}
