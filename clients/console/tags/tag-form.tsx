import { type FormEvent, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { useEdited } from '../parts/forms/conflict.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import type { Say } from '../service/patience.ts';
import { tagAt } from '../service/resources.ts';
import { createTag, nextColour } from '../service/tags.ts';
import type { Tag } from '../service/types.ts';

const empty: Tag = { id: '', name: '', color: '', createdAt: '', _count: { links: 0 } };
const labels = { name: 'Name', color: 'Colour' };

type TagFormProps = {
  /** The tag to change; none for a new one. */
  readonly tag?: Tag;
  readonly onClose: () => void;
};

/** Creates a tag, or changes its name and colour. */
export function TagForm({ tag, onClose }: TagFormProps) {
  const [first] = useState(() => tag ?? { ...empty, color: nextColour() });
  const form = useEdited(
    { value: first, etag: '' },
    { calls: tagAt(first.id), valuesOf: ({ name, color }: Tag) => ({ name, color }), labels, shown: (value) => value },
  );
  const { name, color } = form.values;
  const { isBusy, wrong, note, run } = useAction('tags:write', ['name', 'color']);

  const create = async (say: Say) => {
    const { name: made } = await createTag({ name, color }, say);
    toast(`The tag ${made} is created.`, { tone: 'good' });
    onClose();
  };
  const change = async (say: Say) => {
    const { base } = form;
    const changes = { ...(name !== base.name && { name }), ...(color !== base.color && { color }) };
    const isSaved =
      Object.keys(changes).length === 0 || (await form.save(changes, say, (now) => `The tag ${now.name} is saved.`));
    if (isSaved) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((say) => (tag ? change(say) : create(say)));
  };
  return (
    <Dialog title={tag ? 'Change the tag' : 'Create a tag'} onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={submit}>
        <Field label="Name" message={wrong.name} hint="Letters, numbers, spaces, - and _.">
          {(described) => (
            <input {...described} value={name} autoComplete="off" onChange={(event) => form.edit({ name: event.target.value })} />
          )}
        </Field>
        <Field label="Colour" message={wrong.color}>
          {(described) => (
            <input {...described} type="color" value={color} onChange={(event) => form.edit({ color: event.target.value })} />
          )}
        </Field>
        {form.conflict}
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || form.hasConflict || name.trim() === ''}>
            {isBusy ? 'Saving…' : tag ? 'Save' : 'Create'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
