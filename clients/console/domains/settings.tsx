import { type FormEvent, useState } from 'react';
import { logoLength } from '../../../lambdas/core/limits.ts';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { Check, Field } from '../parts/kit/field.tsx';
import { Group } from '../parts/kit/group.tsx';
import { UrlInput } from '../parts/kit/url-input.tsx';
import { domainAt } from '../service/resources.ts';
import type { Tagged } from '../service/settings.ts';
import type { DomainDetails } from '../service/types.ts';
import { changesOf, type Values, valuesOf } from './fields.ts';

type SettingsProps = {
  readonly loaded: Tagged<DomainDetails>;
  readonly mayWrite: boolean;
};

const labels: Readonly<Record<keyof Values, string>> = {
  rootUrl: 'Home page redirects to',
  notFoundUrl: 'Mistyped links go to',
  expiredUrl: 'Ended links go to',
  accentColor: 'Button colour',
  logoUrl: 'Logo',
  appleAppSiteAssociation: 'Apple: apple-app-site-association',
  assetLinks: 'Android: assetlinks.json',
  publicQr: 'Anyone can load the QR codes of its links',
  allowIndexing: 'Search engines can list its links',
};

/** The settings that are on or off. */
type Switch = 'publicQr' | 'allowIndexing';

const shown = (value: Values[keyof Values]): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value || 'empty');

const names = Object.keys(labels) as (keyof Values)[];

/** What visitors of a domain see if no link matches, and how its pages look. */
export function Settings({ loaded, mayWrite }: SettingsProps) {
  const [malformed, setMalformed] = useState<readonly string[]>([]);
  const { isBusy, wrong, note, run } = useChange('domains:write', names);
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
      <Check label={labels[field]} isOn={values[field]} disabled={!mayWrite} onSwitch={(isOn) => set({ [field]: isOn })} />
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
        <Group title="Redirects" isFirst isWrong={isWrong('rootUrl', 'notFoundUrl', 'expiredUrl')}>
          {text('rootUrl', 'Visitors who open the domain without a slug go here. Leave it empty for a “not found” page.')}
          {text('notFoundUrl', 'Leave it empty for a “not found” page.')}
          {text(
            'expiredUrl',
            'For links that have expired or reached their click limit. Leave it empty for a page that says so. A link can have its own.',
          )}
        </Group>
        <Group title="Appearance" isWrong={isWrong('accentColor', 'logoUrl')}>
          {text('accentColor', 'On the pages for passwords, previews and errors. Leave it empty for the default.')}
          {text(
            'logoUrl',
            `The address of a PNG, JPEG, GIF or WebP image of at most ${logoLength / 1_024} kB. It is fetched once, when you save.`,
          )}
        </Group>
        <Group title="Apps" isWrong={isWrong('appleAppSiteAssociation', 'assetLinks')}>
          {text(
            'appleAppSiteAssociation',
            'JSON, so that links open in your app on iPhones. Leave it empty if you have none.',
            6,
          )}
          {text('assetLinks', 'JSON, so that links open in your app on Android. Leave it empty if you have none.', 6)}
        </Group>
        <Group title="Public QR codes" isWrong={isWrong('publicQr')}>
          {check('publicQr', 'Add .svg to the address of a link to get its QR code.')}
        </Group>
        <Group title="Search engines" isWrong={isWrong('allowIndexing')}>
          {check(
            'allowIndexing',
            'If this is off, they are asked not to. They are never asked to list error pages and pages with a form.',
          )}
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
