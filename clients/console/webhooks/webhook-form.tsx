import { type FormEvent, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { useEdited } from '../parts/forms/conflict.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { UrlInput } from '../parts/forms/url-input.tsx';
import { Button } from '../parts/kit/button.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { completed } from '../service/destination.ts';
import { go, screenAddress } from '../service/location.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { queries } from '../service/queries.ts';
import { webhookAt } from '../service/resources.ts';
import type { Tagged } from '../service/settings.ts';
import type { Webhook } from '../service/types.ts';
import { events } from './words.ts';

const labels = { url: 'Address', events: 'It is told when' };
const empty: Pick<Webhook, 'id' | 'url' | 'events'> = { id: '', url: '', events: ['link.clicked'] };
const shown = (value: string | Webhook['events']): string => (typeof value === 'string' ? value : value.join(', '));

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
  const choose = (name: Webhook['events'][number]) =>
    form.edit({ events: chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name] });
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>();
  const { isBusy, wrong, note, run } = useAction('webhooks:write', ['url', 'events']);

  const create = async (say: Say) => {
    const body = { url: completed(url), events: chosen, active: true };
    const { data } = await keyed('webhook', body, (key) => {
      const init = { params: { header: { 'Idempotency-Key': key } }, body };
      return untilAnswered(() => api.POST('/api/v1/webhooks', init), say);
    });
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
    setMade(data);
  };
  const change = async (say: Say) => {
    const { base } = form;
    const changes = {
      ...(completed(url) !== base.url && { url: completed(url) }),
      ...(chosen.join() !== base.events.join() && { events: chosen }),
    };
    const isSaved = Object.keys(changes).length === 0 || (await form.save(changes, say, () => 'The webhook is saved.'));
    if (isSaved) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((say) => (loaded ? change(say) : create(say)));
  };

  if (made) {
    return (
      <ShownOnce
        title="The webhook is added"
        what="secret"
        text={made.secret}
        hint="Your server verifies with this secret that a request comes from here."
        onClose={() => {
          onClose();
          go({ ...screenAddress('webhooks'), item: made.id });
        }}
      />
    );
  }
  return (
    <Dialog title={loaded ? 'Edit the webhook' : 'Add a webhook'} onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={submit}>
        <Field label="Address" message={wrong.url} hint="An https address of your server.">
          {(described) => (
            <UrlInput
              {...described}
              value={url}
              placeholder="https://hooks.example.com/links"
              onText={(text) => form.edit({ url: text })}
            />
          )}
        </Field>
        <fieldset className="plain stack">
          <legend className="label">It is told when</legend>
          {(Object.entries(events) as [Webhook['events'][number], string][]).map(([name, text]) => (
            <label key={name} className="check">
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => choose(name)} />
              {text}
            </label>
          ))}
          {chosen.length === 0 && <p className="field-error">Choose at least one.</p>}
          {wrong.events && <p className="field-error">These {wrong.events}.</p>}
        </fieldset>
        {form.conflict}
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || form.hasConflict || chosen.length === 0 || completed(url) === ''}>
            {isBusy ? 'Saving…' : loaded ? 'Save' : 'Add'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
