import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../parts/forms/action.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { Button } from '../parts/kit/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { shortTime } from '../parts/time.ts';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { untilAnswered } from '../service/patience.ts';
import { all, queries, useMay } from '../service/queries.ts';
import { deleteSurely } from '../service/removal.ts';

const refresh = (): void => {
  void queries.invalidateQueries({ queryKey: ['webhook-secrets'] });
  void queries.invalidateQueries({ queryKey: ['webhook'] });
};

/** The valid secrets of a webhook, or with null those of all links' own webhooks. */
export function Secrets({ webhookId }: { readonly webhookId: string | null }) {
  const secrets = useQuery({
    queryKey: ['webhook-secrets'],
    queryFn: ({ signal }) => all(api.pages('/api/v1/webhook-secrets', { signal })),
  });
  const mayWrite = useMay('webhooks:write');
  const [made, setMade] = useState<string>();
  const [ending, end] = useState<string>();
  const { isBusy, note, run } = useAction('webhooks:write');
  const create = () =>
    run(async (say) => {
      const body = { webhookId };
      const { data } = await keyed('secret', body, (key) => {
        const init = { params: { header: { 'Idempotency-Key': key } }, body };
        return untilAnswered(() => api.POST('/api/v1/webhook-secrets', init), say);
      });
      setMade(data.secret);
      refresh();
    });
  return (
    <>
      <Loaded query={secrets} what="The secrets" permission="webhooks:read">
        {(list) => {
          const own = list.filter((secret) => secret.webhookId === webhookId);
          return (
            <>
              {own.length === 0 && <p>There is no secret.</p>}
              <ul className="entries">
                {own.map(({ id, createdAt, expiresAt }) => (
                  <li key={id} className="entry">
                    <div className="entry-main">
                      <span className="mono cut">{id}</span>
                      <span className="small">
                        created {shortTime(createdAt)}
                        {expiresAt === null ? '' : `, ends ${shortTime(expiresAt)}`}
                      </span>
                    </div>
                    {mayWrite && (
                      <div className="entry-side">
                        <Button kind="bad" onClick={() => end(id)}>
                          End now…
                        </Button>
                      </div>
                    )}
                  </li>
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
          title="End this secret now?"
          action="End secret"
          permission="webhooks:write"
          onClose={() => end(undefined)}
          run={async (say) => {
            const params = { path: { id: ending } };
            await deleteSurely(() => api.DELETE('/api/v1/webhook-secrets/{id}', { params }), say);
            refresh();
          }}
        >
          <p>Nothing is signed with it any more. If it is the only one, nothing can be sent until there is another one.</p>
        </Confirm>
      )}
    </>
  );
}
