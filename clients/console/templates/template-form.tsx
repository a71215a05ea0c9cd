import { useState } from 'react';
import { linkFlags } from '../../../lambdas/core/link/link.ts';
import { redirects } from '../link/fields/fields.ts';
import { TagsField } from '../link/fields/tags-field.tsx';
import type { Done } from '../parts/actions.ts';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { Check, SelectField, TextField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { servedOf } from '../service/new-links.ts';
import type { Say } from '../service/patience.ts';
import { useDomains, useMay, useTags } from '../service/queries.ts';
import { templateAt } from '../service/resources.ts';
import type { Template } from '../service/types.ts';
import { createTemplate, emptyTemplate } from './create.ts';
import { changesOf, labels, utmFields, type Values, valuesOf } from './words.ts';

type TemplateFormProps = {
  /** The template to change; none for a new one. */
  readonly template?: Template;
  readonly onClose: () => void;
};

/** Creates a template, or changes it. */
export function TemplateForm({ template, onClose }: TemplateFormProps) {
  const { data: tags = [] } = useTags();
  const [first] = useState(() => template ?? emptyTemplate);
  const shown = (value: Values[keyof Values]): string => {
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    if (typeof value === 'string') return value || 'none';
    return value.map((id) => tags.find((tag) => tag.id === id)?.name ?? 'a deleted tag').join(', ') || 'none';
  };
  const form = useEdited({ value: first, etag: '' }, { calls: templateAt(first.id), valuesOf, labels, shown });
  const { values, edit } = form;
  const change = useChange('tags:write', Object.keys(labels));

  const create = async (say: Say): Promise<Done> => {
    const { name } = await createTemplate({ name: values.name.trim(), ...changesOf(values, emptyTemplate) }, say);
    return { text: `The template ${name} is created.` };
  };
  const save = (say: Say) => form.save(changesOf(values, form.base), say, (now) => `The template ${now.name} is saved.`);
  const text = (name: 'name' | (typeof utmFields)[number]) => (
    <TextField
      key={name}
      label={labels[name]}
      message={change.wrong[name]}
      value={values[name]}
      onText={(typed) => edit({ [name]: typed })}
    />
  );
  return (
    <FormDialog
      title={template ? 'Edit the template' : 'Create a template'}
      onClose={onClose}
      change={change}
      edited={form}
      action={template ? 'Save' : 'Create'}
      isReady={values.name.trim() !== ''}
      run={template ? save : create}
    >
      {text('name')}
      <DomainField value={values.domain} message={change.wrong.domain} onChoose={(domain) => edit({ domain })} />
      <TagsField
        chosen={values.tagIds}
        onChange={(tagIds) => edit({ tagIds })}
        message={change.wrong.tagIds}
        ownTags={undefined}
      />
      {utmFields.map((name) => text(name))}
      <SelectField
        label={labels.redirectType}
        message={change.wrong.redirectType}
        value={values.redirectType}
        options={redirects}
        onChoose={(redirectType) => edit({ redirectType })}
      />
      <TextField
        label={labels.expiresAfterDays}
        message={change.wrong.expiresAfterDays}
        hint="Counted from when a link is created. Leave it empty for never."
        type="number"
        min={1}
        value={values.expiresAfterDays}
        onText={(expiresAfterDays) => edit({ expiresAfterDays })}
      />
      {linkFlags.map((name) => (
        <Check key={name} label={labels[name]} isOn={values[name]} onSwitch={(isOn) => edit({ [name]: isOn })} />
      ))}
    </FormDialog>
  );
}

type DomainFieldProps = {
  readonly value: string;
  readonly message: string | undefined;
  readonly onChoose: (domain: string) => void;
};

/** The domain of a template. A domain that the workspace no longer has can stay. */
function DomainField({ value, message, onChoose }: DomainFieldProps) {
  const { data } = useDomains(useMay('domains:read'));
  const served = servedOf(data).map(({ domain }) => domain);
  const all = value === '' || served.includes(value) ? served : [...served, value];
  return (
    <SelectField
      label={labels.domain}
      message={message}
      value={value}
      options={[['', 'None'], ...all.map((domain) => [domain, domain] as const)]}
      onChoose={onChoose}
    />
  );
}
