import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Entry } from '../parts/kit/entry.tsx';
import { Group } from '../parts/kit/group.tsx';
import { Entries, ListHead } from '../parts/kit/list.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { api } from '../service/client.ts';
import { screenAddress, useAddress } from '../service/location.ts';
import { listed, useMay } from '../service/queries.ts';
import { Deliveries } from './deliveries.tsx';
import { Secrets } from './secrets.tsx';
import { WebhookPage } from './webhook.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { eventsText } from './words.ts';

/** The webhooks of the workspace, or one of them with its deliveries. */
export function WebhooksScreen() {
  const { item } = useAddress();
  return <div className="screen">{item === undefined ? <WebhookList /> : <WebhookPage key={item} id={item} />}</div>;
}

function WebhookList() {
  const webhooks = useQuery(listed('webhooks', (init) => api.pages('/api/v1/webhooks', init)));
  const mayWrite = useMay('webhooks:write');
  const [isAdding, add] = useState(false);
  return (
    <>
      <ListHead title="Webhooks" action={mayWrite && 'Add a webhook'} onAction={() => add(true)} />
      <Loaded query={webhooks} what="The webhooks" permission="webhooks:read">
        {(list) => (
          <>
            <Entries none="No webhooks yet. They tell your server about clicks and changes.">
              {list.map(({ id, url, events, active }) => (
                <Entry key={id} side={!active && <Status icon="off" tone="quiet" word="Off" />}>
                  <PageLink to={{ ...screenAddress('webhooks'), item: id }} className="cut">
                    {url}
                  </PageLink>
                  <span className="small cut">{eventsText(events)}</span>
                </Entry>
              ))}
            </Entries>
            <Group title="Webhooks of single links">
              <p className="small">
                A link can have its own webhooks, under Advanced in its settings. They share these secrets. Without one, nothing
                is sent to them.
              </p>
              <Secrets webhookId={null} />
            </Group>
            <Deliveries webhookId={undefined} />
          </>
        )}
      </Loaded>
      {isAdding && <WebhookForm onClose={() => add(false)} />}
    </>
  );
}
