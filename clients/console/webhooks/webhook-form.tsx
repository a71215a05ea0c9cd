import { type FormEvent, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { UrlInput } from '../parts/forms/url-input.tsx';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { completed } from '../service/destination.ts';
import { go, screenAddress } from '../service/location.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { queries } from '../service/queries.ts';
import { saveSettings, type Tagged } from '../service/settings.ts';
import type { Webhook } from '../service/types.ts';
import { events } from './words.ts';

export async function getWebhook(id: string, signal?: AbortSignal): Promise<Tagged<Webhook>> {
  const { data, response } = await api.GET('/api/v1/webhooks/{id}', { params: { path: { id } }, signal });
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

export async function patchWebhook(id: string, body: object, etag: string): Promise<Tagged<Webhook>> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { data, response } = await api.PATCH('/api/v1/webhooks/{id}', { params, body });
  void queries.invalidateQueries({ queryKey: ['webhooks'] });
  void queries.invalidateQueries({ queryKey: ['webhook', id] });
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

type WebhookFormProps = {
  /** The webhook to change; none for a new one. */
  readonly loaded?: Tagged<Webhook>;
  readonly onClose: () => void;
};

/** Adds a webhook, and shows its secret; or changes one. */
export function WebhookForm({ loaded, onClose }: WebhookFormProps) {
  const [base, setBase] = useState(loaded);
  const [url, setUrl] = useState(loaded?.value.url ?? '');
  const [chosen, choose] = useState<readonly string[]>(loaded?.value.events ?? ['link.clicked']);
  const [clash, setClash] = useState<Webhook>();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>();
  const { isBusy, wrong, note, run } = useAction('webhooks:write', ['url', 'events']);

  const create = async (say: Say) => {
    const body = { url: completed(url), events: chosen as Webhook['events'], active: true };
    const { data } = await keyed('webhook', body, (key) => {
      const init = { params: { header: { 'Idempotency-Key': key } }, body };
      return untilAnswered(() => api.POST('/api/v1/webhooks', init), say);
    });
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
    setMade(data);
  };
  const change = async (before: Tagged<Webhook>, say: Say) => {
    const { id } = before.value;
    const changes = {
      ...(completed(url) !== before.value.url && { url: completed(url) }),
      ...(chosen.join() !== before.value.events.join() && { events: chosen }),
    };
    if (Object.keys(changes).length === 0) return onClose();
    const calls = { get: () => getWebhook(id), patch: (body: object, etag: string) => patchWebhook(id, body, etag) };
    const saved = await saveSettings(changes, before, calls, say);
    if (saved.kind === 'clash') {
      setBase(saved.version);
      return setClash(saved.version.value);
    }
    toast('The webhook is saved.', { tone: 'good' });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((say) => (base ? change(base, say) : create(say)));
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
          {(described) => <UrlInput {...described} value={url} placeholder="https://hooks.example.com/links" onText={setUrl} />}
        </Field>
        <fieldset className="plain stack">
          <legend className="label">It is told when</legend>
          {Object.entries(events).map(([name, text]) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={() => choose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])}
              />
              {text}
            </label>
          ))}
          {chosen.length === 0 && <p className="field-error">Choose at least one.</p>}
          {wrong.events && <p className="field-error">These {wrong.events}.</p>}
        </fieldset>
        {clash && (
          <p className="notice warning" role="alert">
            Somebody else changed it meanwhile, to {clash.url} with {clash.events.join(', ')}. Saving again replaces that.
          </p>
        )}
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || chosen.length === 0 || completed(url) === ''}>
            {isBusy ? 'Saving…' : loaded ? 'Save' : 'Add'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
