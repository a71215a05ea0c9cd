import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { TagPicker } from '../parts/tag-picker.tsx';
import { useTags } from '../service/queries.ts';
import type { LinkTag } from '../service/types.ts';
import { CardPreview } from './card-preview.tsx';
import { type Field, groupOf, groups, type Value, type Values } from './fields.ts';
import { SlugField } from './slug-field.tsx';
import { UtmFields } from './utm-fields.tsx';

export type FormProps = {
  readonly values: Values;
  readonly onChange: (name: string, value: Value) => void;
  /** The names of the fields that differ from what is saved. */
  readonly changed: readonly string[];
  /** What is wrong, by the names of the fields. */
  readonly wrong: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly hasPassword: boolean;
  /** Where the slug belongs to; for a new link, a choice. */
  readonly domain: string;
  readonly slugOwner?: string;
  /** The tags that the link has, which may be newer than the list of tags. */
  readonly ownTags?: readonly LinkTag[];
  readonly above?: ReactNode;
  readonly actions: ReactNode;
};

/** Everything that a link can be, in groups. Only the first is open, and those with errors. */
export function LinkForm(props: FormProps) {
  const { onSubmit, wrong, above, actions, isBusy } = props;
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  useEffect(() => {
    if (Object.keys(wrong).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  return (
    <form
      ref={form}
      className="link-form"
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

function GroupOfFields({ title, isFirst, changed, wrong, children }: GroupProps) {
  const isWrong = Object.keys(wrong).some((name) => groupOf(name) === title);
  const [isOpen, open] = useState(isFirst);
  const edited = changed.filter((name) => groupOf(name) === title).length;
  useEffect(() => {
    if (isWrong) open(true);
  }, [isWrong]);
  return (
    <details className="group" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        {title}
        {edited > 0 && <span className="small group-edited">{edited} changed</span>}
      </summary>
      <div className="group-fields">{children}</div>
    </details>
  );
}

const types: Readonly<Record<string, string>> = { url: 'url', time: 'datetime-local', number: 'number' };

function FieldRow({ field, ...props }: FormProps & { readonly field: Field }) {
  const { values, wrong, onChange } = props;
  const { name, label, kind, hint } = field;
  const id = useId();
  const value = values[name] ?? null;
  const message = wrong[name];
  const described = {
    id,
    'aria-invalid': message !== undefined || undefined,
    'aria-describedby': `${id}-hint`,
  };
  if (kind === 'switch') {
    return (
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            {...described}
            checked={value === true}
            onChange={(event) => onChange(name, event.target.checked)}
          />
          {label}
        </label>
        <Below id={id} message={message} hint={hint} />
      </div>
    );
  }
  if (kind === 'tags') return <TagsField {...props} message={message} />;
  const text = typeof value === 'string' ? value : '';
  const shared = {
    ...described,
    value: text,
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {kind === 'area' ? (
        <textarea {...shared} rows={3} />
      ) : kind === 'redirect' ? (
        <select {...shared}>
          <option value="TEMPORARY_302">Temporary, 302</option>
          <option value="PERMANENT_301">Permanent, 301: browsers remember it</option>
        </select>
      ) : kind === 'password' ? (
        <PasswordField {...props} described={described} value={value} />
      ) : kind === 'slug' ? (
        <SlugField
          described={described}
          domain={props.domain}
          owner={props.slugOwner}
          value={text}
          onChange={(slug) => onChange(name, slug)}
        />
      ) : (
        <input
          {...shared}
          type={types[kind] ?? 'text'}
          autoComplete="off"
          {...(kind === 'number' && { min: 1, inputMode: 'numeric' as const })}
        />
      )}
      <Below id={id} message={message} hint={hint} />
    </div>
  );
}

type BelowProps = { readonly id: string; readonly message: string | undefined; readonly hint: string | undefined };

/** What is wrong with a field, or else its hint. */
const Below = ({ id, message, hint }: BelowProps) => (
  <p id={`${id}-hint`} className={message === undefined ? 'small' : 'field-error'}>
    {message === undefined ? (
      hint
    ) : (
      <>
        <Icon name="alert" /> This {message}.
      </>
    )}
  </p>
);

type Described = { readonly id: string; readonly 'aria-invalid': boolean | undefined; readonly 'aria-describedby': string };

/** A password is never shown. It can be set, changed and removed. */
function PasswordField({
  hasPassword,
  value,
  onChange,
  described,
}: FormProps & { readonly value: Value; readonly described: Described }) {
  const [isChanging, change] = useState(false);
  if (value === null) {
    return (
      <p>
        It is removed when you save.{' '}
        <button type="button" className="link-button" onClick={() => onChange('password', '')}>
          Keep it
        </button>
      </p>
    );
  }
  if (hasPassword && !isChanging) {
    return (
      <p>
        Set.{' '}
        <button type="button" className="link-button" id={described.id} onClick={() => change(true)}>
          Change
        </button>{' '}
        <button type="button" className="link-button" onClick={() => onChange('password', null)}>
          Remove
        </button>
      </p>
    );
  }
  return (
    <input
      {...described}
      type="password"
      autoComplete="new-password"
      value={String(value)}
      onChange={(event) => onChange('password', event.target.value)}
    />
  );
}

function TagsField({ values, onChange, message, ownTags = [] }: FormProps & { readonly message: string | undefined }) {
  const { data: listed = [] } = useTags();
  const chosen = values.tagIds as readonly string[];
  const all: readonly LinkTag[] = [...listed, ...ownTags.filter(({ id }) => !listed.some((tag) => tag.id === id))];
  return (
    <div className="field">
      <span className="label">Tags</span>
      <div className="actions">
        {chosen.map((id) => {
          const tag = all.find((one) => one.id === id);
          const name = tag?.name ?? 'Unknown tag';
          return (
            <span key={id} className="chip">
              {tag && <span className="dot" style={{ background: tag.color }} />}
              <bdi>{name}</bdi>
              <button
                type="button"
                aria-label={`Remove the tag ${name}`}
                onClick={() =>
                  onChange(
                    'tagIds',
                    chosen.filter((one) => one !== id),
                  )
                }
              >
                <Icon name="close" />
              </button>
            </span>
          );
        })}
        <TagPicker label="Choose" tags={all} chosen={chosen} onChange={(ids) => onChange('tagIds', ids)} />
      </div>
      {message !== undefined && <p className="field-error">This {message}.</p>}
    </div>
  );
}
