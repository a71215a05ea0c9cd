import { useState } from 'react';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { Checks, Field } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { ShownOnce } from '../parts/kit/shown-once.tsx';
import { UrlInput } from '../parts/kit/url-input.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { completed } from '../service/destination.ts';
import { go, screenAddress } from '../service/location.ts';
import type { Say } from '../service/patience.ts';
import { webhookAt } from '../service/resources.ts';
import type { Tagged } from '../service/settings.ts';
import type { Webhook } from '../service/types.ts';
import { events, eventsText } from './words.ts';

const labels = { url: 'Address', events: 'Events' };
const empty: Pick<Webhook, 'id' | 'url' | 'events'> = { id: '', url: '', events: ['link.clicked'] };
const shown = (value: string | Webhook['events']): string => (typeof value === 'string' ? value : eventsText(value));

type WebhookFormProps = {
  /** The webhook to change; none for a new one. */
  readonly loaded?: Tagged<Webhook>;
  readonly onClose: () => void;
};

/** Adds a webhook, and shows its secret; or changes one. */
export function WebhookForm({ loaded, onClose }: WebhookFormProps) {
  const form = useEdited(loaded ?? { value: empty, etag: '' }, {
    calls: webhookAt(loaded?.value.id ?? ''),
    valuesOf: ({ url, events }: Pick<Webhook, 'url' | 'events'>) => ({ url, events }),
    labels,
    shown,
  });
  const { url, events: chosen } = form.values;
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>();
  const change = useChange('webhooks:write', ['url', 'events']);

  const create = async (say: Say): Promise<undefined> => {
    const body = { url: completed(url), events: chosen, active: true };
    const { data } = await keyed('webhook', body, say, (init) => api.POST('/api/v1/webhooks', init));
    webhookAt(data.id).refresh();
    setMade(data);
  };
  const save = (say: Say) => {
    const { base } = form;
    const changes = {
      ...(completed(url) !== base.url && { url: completed(url) }),
      ...(chosen.join() !== base.events.join() && { events: chosen }),
    };
    return form.save(changes, say, () => 'The webhook is saved.');
  };

  if (made) {
    return (
      <ShownOnce
        title="The webhook is added"
        what="secret"
        text={made.secret}
        hint="With this secret, your server verifies that a request comes from here."
        onClose={() => {
          onClose();
          go({ ...screenAddress('webhooks'), item: made.id });
        }}
      />
    );
  }
  return (
    <FormDialog
      title={loaded ? 'Edit the webhook' : 'Add a webhook'}
      onClose={onClose}
      change={change}
      edited={form}
      action={loaded ? 'Save' : 'Add'}
      isReady={chosen.length > 0 && completed(url) !== ''}
      run={loaded ? save : create}
    >
      <Field label="Address" message={change.wrong.url} hint="An https address of your server.">
        {(described) => (
          <UrlInput
            {...described}
            value={url}
            placeholder="https://hooks.example.com/links"
            onText={(text) => form.edit({ url: text })}
          />
        )}
      </Field>
      <Checks
        label="Events"
        message={change.wrong.events}
        choices={Object.entries(events)}
        chosen={chosen}
        onChoose={(names) => form.edit({ events: names as Webhook['events'] })}
      />
    </FormDialog>
  );
}
