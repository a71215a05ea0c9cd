import { type FormEvent, useState } from 'react';
import { logoLength } from '../../../lambdas/core/limits.ts';
import { useAction } from '../parts/forms/action.tsx';
import { useEdited } from '../parts/forms/conflict.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Group } from '../parts/forms/group.tsx';
import { UrlInput } from '../parts/forms/url-input.tsx';
import { Button } from '../parts/kit/button.tsx';
import { domainAt } from '../service/resources.ts';
import type { Tagged } from '../service/settings.ts';
import type { DomainDetails } from '../service/types.ts';
import { changesOf, type Values, valuesOf } from './fields.ts';

type SettingsProps = {
  readonly loaded: Tagged<DomainDetails>;
  readonly mayWrite: boolean;
};

const labels: Readonly<Record<keyof Values, string>> = {
  rootUrl: 'Where visitors of the domain itself go',
  notFoundUrl: 'Where visitors of an unknown slug go',
  expiredUrl: 'Where visitors of an expired or used-up link go',
  accentColor: 'Colour of buttons',
  logoUrl: 'Address of a logo',
  appleAppSiteAssociation: 'Apple: apple-app-site-association',
  assetLinks: 'Android: assetlinks.json',
  publicQr: 'Anyone may fetch the QR codes of its links',
  allowIndexing: 'Search engines may list its links',
};

/** The settings that are on or off. */
type Switch = 'publicQr' | 'allowIndexing';

const shown = (value: Values[keyof Values]): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value || 'empty');

const names = Object.keys(labels) as (keyof Values)[];

/** What visitors of a domain see where no link serves them, and how its pages look. */
export function Settings({ loaded, mayWrite }: SettingsProps) {
  const [malformed, setMalformed] = useState<readonly string[]>([]);
  const { isBusy, wrong, note, run } = useAction('domains:write', names);
  const form = useEdited(loaded, { calls: domainAt(loaded.value.domain), valuesOf, labels, shown });
  const { values, edit: set } = form;
  const { changes } = changesOf(values, form.base);
  const count = Object.keys(changes).length;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const { changes: body, malformed: bad } = changesOf(values, form.base);
    setMalformed(bad);
    if (bad.length > 0 || Object.keys(body).length === 0 || form.hasConflict) return;
    await run((say) => form.save(body, say, () => 'Saved. Visitors see it within a minute.'));
  };

  const messageOf = (field: keyof Values) => (malformed.includes(field) ? 'is not JSON' : wrong[field]);
  const isWrong = (...fields: (keyof Values)[]) => fields.some((field) => messageOf(field) !== undefined);
  const text = (field: Exclude<keyof Values, Switch>, hint: string, rows?: number) => (
    <Field key={field} label={labels[field]} message={messageOf(field)} hint={hint}>
      {(described) => {
        const shared = {
          ...described,
          value: values[field],
          readOnly: !mayWrite,
        };
        const onText = (value: string) => set({ [field]: value });
        const onChange = (event: { target: { value: string } }) => onText(event.target.value);
        if (rows !== undefined) {
          return <textarea {...shared} rows={rows} className="mono" spellCheck={false} onChange={onChange} />;
        }
        if (field !== 'accentColor') return <UrlInput {...shared} onText={onText} />;
        return (
          <span className="with-button">
            <input {...shared} placeholder="#1a2b3c" autoComplete="off" spellCheck={false} onChange={onChange} />
            <input
              type="color"
              aria-label="Choose the colour"
              disabled={!mayWrite}
              value={/^#[\da-f]{6}$/i.test(values.accentColor) ? values.accentColor : '#0b6b70'}
              onChange={(event) => set({ accentColor: event.target.value })}
            />
          </span>
        );
      }}
    </Field>
  );
  const check = (field: Switch, hint: string) => (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={values[field]}
          disabled={!mayWrite}
          onChange={(event) => set({ [field]: event.target.checked })}
        />
        {labels[field]}
      </label>
      <p className="small">{hint}</p>
    </>
  );
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(event);
      }}
    >
      <div>
        <Group title="Addresses" isFirst isWrong={isWrong('rootUrl', 'notFoundUrl', 'expiredUrl')}>
          {text('rootUrl', 'Empty: a page that says “not found”.')}
          {text('notFoundUrl', 'Empty: a page that says “not found”.')}
          {text('expiredUrl', 'Empty: a page that says so. A link may have an address of its own.')}
        </Group>
        <Group title="Look" isWrong={isWrong('accentColor', 'logoUrl')}>
          {text('accentColor', 'On the pages for passwords, previews and errors. Empty: the usual one.')}
          {text('logoUrl', `PNG, JPEG, GIF or WebP, at most ${logoLength / 1_024} kB. It is fetched once, when you save.`)}
        </Group>
        <Group title="Apps" isWrong={isWrong('appleAppSiteAssociation', 'assetLinks')}>
          {text('appleAppSiteAssociation', 'JSON, so that links open in your app on iPhones. Empty: none.', 6)}
          {text('assetLinks', 'JSON, so that links open in your app on Android. Empty: none.', 6)}
        </Group>
        <Group title="Public QR codes" isWrong={isWrong('publicQr')}>
          {check('publicQr', 'Then the address of a link with .svg behind it is its QR code.')}
        </Group>
        <Group title="Search engines" isWrong={isWrong('allowIndexing')}>
          {check('allowIndexing', 'Otherwise, they are told not to. Pages with a form, and errors, always tell them.')}
        </Group>
      </div>
      {form.conflict}
      {note}
      {mayWrite && (
        <p className="actions">
          <Button kind="primary" isSubmit disabled={isBusy || form.hasConflict || count === 0}>
            {isBusy ? 'Saving…' : count === 0 ? 'Save changes' : `Save ${count === 1 ? '1 change' : `${count} changes`}`}
          </Button>
          {count > 0 && <Button onClick={form.discard}>Discard</Button>}
        </p>
      )}
    </form>
  );
}
