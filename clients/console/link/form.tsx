import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { CardPreview } from './card-preview.tsx';
import { type FieldProps, FieldRow } from './fields/field-row.tsx';
import { groupOf, groups } from './fields/fields.ts';
import { UtmFields } from './fields/utm-fields.tsx';
import { summaryOf } from './group-summary.ts';

type FormProps = FieldProps & {
  /** The names of the fields that differ from what is saved. */
  readonly changed: readonly string[];
  /** How often it could not be saved: each time, the focus goes to what is wrong. */
  readonly failures: number;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly above?: ReactNode;
  readonly actions: ReactNode;
};

/** Everything that a link can be, in groups. Only the first is open, and those with errors. */
export function LinkForm(props: FormProps) {
  const { onSubmit, failures, above, actions, isBusy } = props;
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  useEffect(() => {
    // Not on phones, where a keyboard would cover the form.
    const isTouched = window.matchMedia('(pointer: coarse)').matches;
    (isTouched ? form.current : form.current?.querySelector<HTMLElement>('[data-field="url"]'))?.focus();
  }, []);
  useEffect(() => {
    if (failures === 0) return;
    const invalid = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    for (const one of invalid) one.closest('details')?.setAttribute('open', '');
    invalid[0]?.focus();
  }, [failures]);
  return (
    <form
      ref={form}
      className="link-form"
      tabIndex={-1}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <div className="link-form-fields">
        {above}
        {groups.map((group, number) => (
          <GroupOfFields key={group.title} title={group.title} isFirst={number === 0} {...props}>
            {group.fields.map((field) => (
              <FieldRow key={field.name} field={field} {...props} />
            ))}
            {group.title === 'Where visitors go' && (
              <UtmFields url={String(props.values.url)} onChange={(url) => props.onChange('url', url)} />
            )}
            {group.title === 'Card and tracking' && <CardPreview values={props.values} />}
          </GroupOfFields>
        ))}
      </div>
      <div className="link-form-foot">{actions}</div>
    </form>
  );
}

type GroupProps = FormProps & { readonly title: string; readonly isFirst: boolean; readonly children: ReactNode };

function GroupOfFields({ title, isFirst, changed, values, hasPassword, children }: GroupProps) {
  const [isOpen, open] = useState(isFirst);
  const edited = changed.filter((name) => groupOf(name) === title).length;
  const summary = summaryOf(title, values, hasPassword);
  return (
    <details className="group" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        {title}
        {!isOpen && summary !== '' && <span className="small group-summary">{summary}</span>}
        {edited > 0 && <span className="small group-summary">{edited} changed</span>}
      </summary>
      <div className="group-fields">{children}</div>
    </details>
  );
}
