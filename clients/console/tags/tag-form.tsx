import { useState } from 'react';
import type { Done } from '../parts/actions.ts';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { TextField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
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
  const change = useChange('tags:write', ['name', 'color']);

  const create = async (say: Say): Promise<Done> => {
    const { name: made } = await createTag({ name, color }, say);
    return { text: `The tag ${made} is created.` };
  };
  const save = (say: Say) => {
    const { base } = form;
    const changes = { ...(name !== base.name && { name }), ...(color !== base.color && { color }) };
    return form.save(changes, say, (now) => `The tag ${now.name} is saved.`);
  };
  return (
    <FormDialog
      title={tag ? 'Edit the tag' : 'Create a tag'}
      onClose={onClose}
      change={change}
      edited={form}
      action={tag ? 'Save' : 'Create'}
      isReady={name.trim() !== ''}
      run={tag ? save : create}
    >
      <TextField
        label="Name"
        message={change.wrong.name}
        hint="Letters, numbers, spaces, - and _."
        value={name}
        onText={(text) => form.edit({ name: text })}
      />
      <TextField
        label="Colour"
        message={change.wrong.color}
        type="color"
        value={color}
        onText={(text) => form.edit({ color: text })}
      />
    </FormDialog>
  );
}
