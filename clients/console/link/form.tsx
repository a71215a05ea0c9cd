import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Change } from '../parts/kit/change.tsx';
import { Group } from '../parts/kit/group.tsx';
import { CardPreview } from './card-preview.tsx';
import { type FieldProps, FieldRow } from './fields/field-row.tsx';
import { campaignTitle, groupOf, groups, previewTitle } from './fields/fields.ts';
import { summaryOf } from './fields/texts.ts';
import { hasUtm } from './fields/utm.ts';
import { UtmFields } from './fields/utm-fields.tsx';

type FormProps = Omit<FieldProps, 'paths'> & {
  /** The names of the fields that differ from the saved link. */
  readonly changed: readonly string[];
  readonly change: Change;
  /** Whether typing replaces the destination. */
  readonly replacesUrl?: boolean;
  readonly onSubmit: () => void;
  readonly above?: ReactNode;
  readonly actions: ReactNode;
};

/** All settings of a link, in groups. Open are the first one, the campaign of a copy, and those with errors. */
export function LinkForm(props: FormProps) {
  const { values, changed, hasPassword, onSubmit, above, actions, change, replacesUrl = false } = props;
  const form = useRef<HTMLFormElement>(null);
  // Programs set it. If it is empty, it isn't shown.
  const isManaged = values.managedBy !== '';
  // The next link of a campaign often has another source.
  const isOfCampaign = replacesUrl && hasUtm(String(values.url));
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!change.isBusy) onSubmit();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form opens
  useEffect(() => {
    // Not on phones, where a keyboard would cover the form.
    const isTouched = window.matchMedia('(pointer: coarse)').matches;
    const url = form.current?.querySelector<HTMLInputElement>('[data-field="url"]');
    (isTouched ? form.current : url)?.focus();
    if (!isTouched && replacesUrl) url?.select();
  }, []);
  useEffect(() => {
    // After each failed save, the focus goes to the first invalid field.
    if (change.error === undefined) return;
    const invalid = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    for (const one of invalid) one.closest('details')?.setAttribute('open', '');
    invalid[0]?.focus();
  }, [change.error]);
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
        {groups.map(({ title, fields }, number) => {
          const edited = changed.filter((name) => groupOf(name) === title).length;
          return (
            <Group
              key={title}
              title={
                <>
                  {title}
                  {edited > 0 && <span className="small group-summary">{edited} changed</span>}
                </>
              }
              summary={summaryOf(title, values, hasPassword)}
              isFirst={number === 0 || (title === campaignTitle && isOfCampaign)}
            >
              {fields
                .filter(({ name }) => name !== 'managedBy' || isManaged || changed.includes(name))
                .map((field) => (
                  <FieldRow key={field.name} field={field} paths={change.failure?.paths ?? {}} {...props} />
                ))}
              {title === campaignTitle && <UtmFields url={String(values.url)} onChange={(url) => props.onChange('url', url)} />}
              {title === previewTitle && <CardPreview values={values} />}
            </Group>
          );
        })}
      </div>
      <div className="link-form-foot">{actions}</div>
    </form>
  );
}
