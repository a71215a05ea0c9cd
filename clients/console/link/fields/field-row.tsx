import type { ReactNode } from 'react';
import { useId } from 'react';
import { Below, Check, type Described, describedBy, Field } from '../../parts/kit/field.tsx';
import { Select } from '../../parts/kit/select.tsx';
import { UrlInput } from '../../parts/kit/url-input.tsx';
import { type Failure, wrongAt } from '../../service/failures.ts';
import type { LinkTag } from '../../service/types.ts';
import { redirects, type Setting, type Value, type Values } from './fields.ts';
import { PasswordField } from './password-field.tsx';
import type { RuleValue, VariantValue } from './routing.ts';
import { RulesField } from './rules-field.tsx';
import { SlugField } from './slug-field.tsx';
import { TagsField } from './tags-field.tsx';
import { VariantsField } from './variants-field.tsx';

const inputTypes: Readonly<Record<string, string>> = { time: 'datetime-local', number: 'number' };

/** What the fields of a form share. */
export type FieldProps = {
  readonly values: Values;
  readonly onChange: (name: string, value: Value) => void;
  /** The errors, by the paths of the fields. */
  readonly paths: Failure['paths'];
  readonly hasPassword: boolean;
  /** The domain of the slug, which can be chosen for a new link. */
  readonly domain: string;
  readonly slugOwner?: string;
  /** The link's tags, which may be newer than the list of tags. */
  readonly ownTags?: readonly LinkTag[];
  /** The notes below fields, by name. */
  readonly notes?: Readonly<Record<string, ReactNode>>;
};

/** A field of the form with the control for its kind, and its error. */
export function FieldRow({ field, ...props }: FieldProps & { readonly field: Setting }) {
  const { values, paths } = props;
  const { name, label, kind, hint } = field;
  const id = useId();
  const value = values[name] ?? null;
  const message = wrongAt(paths, name);
  const onChange = (next: Value) => props.onChange(name, next);
  switch (kind) {
    case 'switch':
      return (
        <div className="field">
          <Check {...describedBy(id, message)} label={label} isOn={value === true} onSwitch={onChange} />
          <Below id={id} message={message} hint={hint} />
        </div>
      );
    case 'tags':
      return <TagsField chosen={value as readonly string[]} onChange={onChange} message={message} ownTags={props.ownTags} />;
    case 'rules':
      return <RulesField rules={value as readonly RuleValue[]} onChange={onChange} paths={paths} />;
    case 'variants':
      return (
        <VariantsField variants={value as readonly VariantValue[]} url={String(values.url)} onChange={onChange} paths={paths} />
      );
    default:
      return (
        <Field label={label} message={message} hint={hint}>
          {(described) => (
            <>
              <TextField {...props} field={field} described={described} onText={onChange} />
              {props.notes?.[name]}
            </>
          )}
        </Field>
      );
  }
}

type TextFieldProps = FieldProps & {
  readonly field: Setting;
  readonly described: Described;
  readonly onText: (value: string | null) => void;
};

function TextField({ field: { name, kind }, described, onText, ...props }: TextFieldProps) {
  const value = props.values[name] ?? null;
  const text = typeof value === 'string' ? value : '';
  const shared = { ...described, value: text, onChange: (event: { target: { value: string } }) => onText(event.target.value) };
  switch (kind) {
    case 'area':
    case 'lines':
      return <textarea {...shared} rows={kind === 'lines' ? 2 : 3} />;
    case 'redirect':
      return <Select<string> {...described} value={text} options={redirects} onChoose={onText} />;
    case 'password':
      return <PasswordField hasPassword={props.hasPassword} value={value} onChange={onText} described={described} />;
    case 'slug':
      return <SlugField described={described} domain={props.domain} owner={props.slugOwner} value={text} onChange={onText} />;
    case 'url':
      return <UrlInput {...described} data-field={name} value={text} onText={onText} />;
    default:
      return (
        <input
          {...shared}
          data-field={name}
          type={inputTypes[kind] ?? 'text'}
          autoComplete="off"
          {...(kind === 'number' && { min: 1, inputMode: 'numeric' as const })}
        />
      );
  }
}
