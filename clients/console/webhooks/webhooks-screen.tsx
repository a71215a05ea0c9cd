import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { Button } from '../parts/kit/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { api } from '../service/client.ts';
import { screenAddress, useAddress } from '../service/location.ts';
import { all, useMay } from '../service/queries.ts';
import { Deliveries } from './deliveries.tsx';
import { Secrets } from './secrets.tsx';
import { WebhookPage } from './webhook.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** The webhooks of the workspace, or one of them with its deliveries. */
export function WebhooksScreen() {
  const { item } = useAddress();
  return <div className="screen">{item === undefined ? <WebhookList /> : <WebhookPage key={item} id={item} />}</div>;
}

function WebhookList() {
  const webhooks = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => all(api.pages('/api/v1/webhooks', { signal })),
  });
  const mayWrite = useMay('webhooks:write');
  const [isAdding, add] = useState(false);
  return (
    <>
      <div className="screen-head">
        <h1>Webhooks</h1>
        {mayWrite && (
          <Button kind="primary" onClick={() => add(true)}>
            Add a webhook
          </Button>
        )}
      </div>
      <Loaded query={webhooks} what="The webhooks" permission="webhooks:read">
        {(list) => (
          <>
            {list.length === 0 ? (
              <p>Tell your server about clicks and changes.</p>
            ) : (
              <ul className="entries">
                {list.map(({ id, url, events, active }) => (
                  <li key={id} className="entry">
                    <div className="entry-main">
                      <PageLink to={{ ...screenAddress('webhooks'), item: id }} className="cut">
                        {url}
                      </PageLink>
                      <span className="small cut">{events.join(', ')}</span>
                    </div>
                    {!active && (
                      <div className="entry-side">
                        <span className="state-word quiet">
                          <Icon name="off" /> Switched off
                        </span>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            )}
            <details className="group">
              <summary>Webhooks of single links</summary>
              <div className="group-fields">
                <p className="small">
                  A link may have webhooks of its own, under Advanced in its form. They share these secrets. Without one, nothing
                  is sent to them.
                </p>
                <Secrets webhookId={null} />
              </div>
            </details>
            <Deliveries webhookId={undefined} />
          </>
        )}
      </Loaded>
      {isAdding && <WebhookForm onClose={() => add(false)} />}
    </>
  );
}
