import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Confirm } from '../parts/kit/confirm.tsx';
import { Group } from '../parts/kit/group.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { shortTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { go, screenAddress } from '../service/location.ts';
import { patiently, untilAnswered } from '../service/patience.ts';
import { useMay } from '../service/queries.ts';
import { webhookAt } from '../service/resources.ts';
import type { Tagged } from '../service/settings.ts';
import type { Webhook } from '../service/types.ts';
import { Deliveries, refreshDeliveries, useLastAttempt, watchMs } from './deliveries.tsx';
import { RedirectNote } from './redirect-note.tsx';
import { Secrets } from './secrets.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { eventsText, failureText, isBehind, type LastAttempt, wordsOf } from './words.ts';

/** How long after an attempt the page keeps reading the webhook's status. */
const catchUpMs = 60_000;

/** A webhook with its status, secrets and deliveries. */
export function WebhookPage({ id }: { readonly id: string }) {
  const last = useLastAttempt(id);
  const webhook = useQuery({
    ...webhookAt(id).query,
    // Its status follows the attempt within seconds.
    refetchInterval: ({ state: { data } }) =>
      data && last && isBehind(data.value, last) && Date.now() - Date.parse(last.at) < catchUpMs ? watchMs : false,
  });
  return (
    <>
      <div>
        <PageLink to={screenAddress('webhooks')}>Webhooks</PageLink>
        <h1 className="long">{webhook.data?.value.url ?? 'Webhook'}</h1>
      </div>
      <Loaded query={webhook} what="The webhook" permission="webhooks:read">
        {(version) => <Details loaded={version} last={last} />}
      </Loaded>
    </>
  );
}

type DetailsProps = { readonly loaded: Tagged<Webhook>; readonly last: LastAttempt | undefined };

function Details({ loaded, last }: DetailsProps) {
  const { id, events, active, status } = loaded.value;
  const { icon, tone, word } = wordsOf(loaded.value, last);
  const mayWrite = useMay('webhooks:write');
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { isBusy, note, run } = useChange('webhooks:write');
  const test = () =>
    run(async (say) => {
      await patiently(() => api.POST('/api/v1/webhooks/{id}/test', { params: { path: { id } } }), say);
      refreshDeliveries();
      return { text: 'The test is sent. The list below shows how it goes.' };
    });
  const change = () =>
    run(async (say) => {
      await untilAnswered(() => webhookAt(id).patch({ active: !active }), say);
      return {};
    });
  return (
    <>
      <div className="stack">
        <Status icon={icon} tone={tone} word={`${word}.`} />
        {status.error && tone === 'bad' && (
          <p className="small">
            The last error: <bdi>{failureText(status.error)}</bdi>
          </p>
        )}
        {status.redirectsTo && tone === 'bad' && <RedirectNote to={status.redirectsTo} />}
        {status.backlog && (
          <p className="notice warning">Deliveries are waiting: the oldest was due {shortTime(status.backlog.oldestDueAt)}.</p>
        )}
        <p className="small">Events: {eventsText(events)}</p>
      </div>
      {mayWrite && (
        <p className="actions">
          <Button disabled={isBusy} onClick={test}>
            Send test
          </Button>
          <Button onClick={() => setOpen('edit')}>Edit</Button>
          <Button disabled={isBusy} onClick={change}>
            {active ? 'Switch off' : 'Switch on'}
          </Button>
          <Button kind="bad" onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        </p>
      )}
      {note}
      <Group title="Secrets">
        <Secrets webhookId={id} />
      </Group>
      <Deliveries webhookId={id} />
      {open === 'edit' && <WebhookForm loaded={loaded} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          action="Delete webhook"
          permission="webhooks:write"
          onClose={() => setOpen(undefined)}
          run={async (say) => {
            await webhookAt(id).remove(say);
            go(screenAddress('webhooks'));
            return { text: 'The webhook is deleted.' };
          }}
        >
          <p>
            Nothing more is sent to it, not even what is waiting. Its secrets are deleted. If you switch it off instead, what
            happens meanwhile is not sent later either.
          </p>
        </Confirm>
      )}
    </>
  );
}
