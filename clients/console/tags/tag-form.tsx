import { type FormEvent, useState } from 'react';
import { saying, toastFailure } from '../parts/actions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import { api } from '../service/client.ts';
import type { Say } from '../service/patience.ts';
import { saveSettings, type Tagged, takeBack } from '../service/settings.ts';
import { createTag, nextColour, refreshTags } from '../service/tags.ts';
import type { Tag } from '../service/types.ts';

async function getTag(id: string): Promise<Tagged<Tag>> {
  const { data, response } = await api.GET('/api/v1/tags/{id}', { params: { path: { id } } });
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

async function patchTag(id: string, body: object, etag: string): Promise<Tagged<Tag>> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { data, response } = await api.PATCH('/api/v1/tags/{id}', { params, body });
  refreshTags();
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

type TagFormProps = {
  /** The tag to change; none for a new one. */
  readonly tag?: Tag;
  readonly onClose: () => void;
};

/** Creates a tag, or changes its name and colour. */
export function TagForm({ tag, onClose }: TagFormProps) {
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color ?? nextColour());
  const [loaded, setLoaded] = useState<Tagged<Tag>>();
  const [clash, setClash] = useState<Tag>();
  const { isBusy, wrong, note, run } = useAction('tags:write', ['name', 'color']);

  const create = async (say: Say) => {
    const { name: made } = await createTag({ name, color }, say);
    toast(`The tag ${made} is created.`, { tone: 'good' });
    onClose();
  };
  const change = async (before: Tag, say: Say) => {
    const changes = { ...(name !== before.name && { name }), ...(color !== before.color && { color }) };
    if (Object.keys(changes).length === 0) return onClose();
    const base = loaded ?? (await getTag(before.id));
    const names = Object.keys(changes) as (keyof typeof changes)[];
    // Somebody may have changed it since the list was loaded.
    if (!loaded && names.some((one) => base.value[one] !== before[one])) {
      setLoaded(base);
      return setClash(base.value);
    }
    const calls = { get: () => getTag(before.id), patch: (body: object, etag: string) => patchTag(before.id, body, etag) };
    const saved = await saveSettings(changes, base, calls, say);
    if (saved.kind === 'clash') {
      setLoaded(saved.version);
      return setClash(saved.version.value);
    }
    const undo = () => void saying((tell) => takeBack(saved.former, saved.version, calls, tell)).catch(toastFailure);
    toast(`The tag ${saved.version.value.name} is saved.`, { tone: 'good', action: { label: 'Undo', run: undo } });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((say) => (tag ? change(tag, say) : create(say)));
  };
  return (
    <Dialog title={tag ? 'Change the tag' : 'Create a tag'} onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={submit}>
        <Field label="Name" message={wrong.name} hint="Letters, numbers, spaces, - and _.">
          {(described) => (
            <input {...described} value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="Colour" message={wrong.color}>
          {(described) => <input {...described} type="color" value={color} onChange={(event) => setColor(event.target.value)} />}
        </Field>
        {clash && (
          <p className="notice warning" role="alert">
            Somebody else changed it meanwhile, to {clash.name} in {clash.color}. Saving again replaces that.
          </p>
        )}
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || name.trim() === ''}>
            {isBusy ? 'Saving…' : tag ? 'Save' : 'Create'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
