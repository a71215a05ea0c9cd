import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { shortAddress, toastChanged } from '../parts/actions.ts';
import { Icon } from '../parts/icons.tsx';
import { useEscape } from '../parts/keys.ts';
import { Button } from '../parts/kit/button.tsx';
import { counted } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import { getLink, patchLink } from '../service/links.ts';
import { go } from '../service/location.ts';
import type { Versioned } from '../service/types.ts';
import { dropDraft, readDraft, writeDraft } from './drafts.ts';
import { type Clash, changedFields, labelOf, merge, type Value, type Values, valuesOf } from './fields/fields.ts';
import { LinkForm } from './form.tsx';
import { aboveForm } from './form-failures.ts';
import { save } from './save.ts';
import { useFields } from './use-fields.ts';

/** Changes a link. What is not saved is kept until somebody saves or discards it. */
export function EditLink({ version }: { readonly version: Versioned }) {
  // The version that this person has seen. A newer one, which somebody else has made, must not look like a change by this one.
  const [base, setBase] = useState(version);
  const before = useMemo(() => valuesOf(base.link), [base]);
  const [start] = useState(() => beginning(base.link.id, before));
  const { values, setValues, failure, failures, onChange, fail, clear } = useFields(() => start.values);
  const [clashes, setClashes] = useState(start.clashes);
  const [busy, setBusy] = useState('');
  const changed = changedFields(values, before);
  const { id } = base.link;
  useEffect(() => {
    // Until somebody has chosen, the draft remembers that there is something to choose.
    const undecided = Object.fromEntries(clashes.map((clash) => [clash.name, clash.before]));
    const began = { ...before, ...undecided };
    writeDraft(localStorage, id, values, changedFields(values, began), began);
  }, [id, values, before, clashes]);
  const leave = () => go({ isEditing: false }, 'replace');
  useEscape(leave, true, 'beside');
  const notice = useRef<HTMLDivElement>(null);
  const hasClashes = clashes.length > 0;
  useEffect(() => {
    // It is above the form, which may be scrolled.
    if (hasClashes) notice.current?.focus();
  }, [hasClashes]);

  const choose = (name: string) => {
    const [, more] = clashes;
    // The button that was pressed goes. What comes next has the focus, and the keys of the form go on.
    const form = notice.current?.closest('form');
    setClashes(clashes.filter((clash) => clash.name !== name));
    requestAnimationFrame(() =>
      (more ? notice.current : (form?.querySelector<HTMLElement>('[type=submit]:enabled') ?? form))?.focus(),
    );
  };

  const submit = async () => {
    // The key that saves must not choose for anybody.
    if (clashes.length > 0) return notice.current?.focus();
    if (changed.length === 0) return leave();
    setBusy('Saving…');
    clear();
    try {
      const saved = await save(values, base, { get: getLink, patch: patchLink }, (text) => setBusy(text || 'Saving…'));
      if (saved.kind === 'clash') {
        setBase(saved.version);
        setValues(saved.values);
        setClashes(saved.clashes);
        return;
      }
      dropDraft(localStorage, id);
      const text = `${shortAddress(saved.version.link.shortUrl)} is saved.`;
      // A former password is not kept.
      if (changed.join() === 'password') toast(text, { tone: 'good' });
      else toastChanged(text, saved.made, base.link);
      leave();
    } catch (error) {
      fail(error);
    } finally {
      setBusy('');
    }
  };
  const said = aboveForm(failure);
  return (
    <LinkForm
      values={values}
      onChange={onChange}
      changed={changed}
      paths={failure?.paths ?? {}}
      failures={failures}
      isBusy={busy !== ''}
      onSubmit={() => void submit()}
      hasPassword={base.link.hasPassword}
      domain={base.link.domain}
      slugOwner={id}
      ownTags={base.link.tags}
      above={
        <>
          {base.link.managedBy !== null && (
            <p className="notice warning">Managed by {base.link.managedBy}, which may change it back.</p>
          )}
          <Clashes clashes={clashes} onTake={({ name, theirs }) => onChange(name, theirs)} notice={notice} onDone={choose} />
          {said !== undefined && (
            <p className="notice bad" role="alert">
              {said} Nothing is lost.
            </p>
          )}
        </>
      }
      actions={
        <>
          <span className="small" role="status">
            {busy || (changed.length > 0 ? counted(changed.length, 'unsaved change') : 'No changes')}
          </span>
          <Button
            onClick={() => {
              dropDraft(localStorage, id);
              setValues(before);
              leave();
            }}
          >
            {changed.length > 0 ? 'Discard' : 'Close'}
          </Button>
          <Button kind="primary" isSubmit disabled={busy !== '' || clashes.length > 0 || changed.length === 0}>
            Save changes
          </Button>
        </>
      }
    />
  );
}

/** What the form begins with: unsaved changes on top of the link as it is now, and the fields that others have changed since. */
function beginning(id: string, now: Values): ReturnType<typeof merge> {
  const draft = readDraft(localStorage, id);
  const before = { ...now, ...draft?.before };
  return merge({ ...before, ...draft?.changed }, before, now);
}

const shown = (value: Value): string =>
  value === null || value === ''
    ? 'nothing'
    : typeof value === 'boolean'
      ? value
        ? 'on'
        : 'off'
      : Array.isArray(value)
        ? counted(value.length, 'entry', 'entries')
        : `“${String(value)}”`;

type ClashesProps = {
  readonly clashes: readonly Clash[];
  readonly onTake: (clash: Clash) => void;
  readonly onDone: (name: string) => void;
  readonly notice: RefObject<HTMLDivElement | null>;
};

/** The fields that somebody else has changed too. Each needs a choice before the link can be saved. */
const Clashes = ({ clashes, onTake, onDone, notice }: ClashesProps) =>
  clashes.length === 0 ? null : (
    <div ref={notice} className="notice warning" role="alert" tabIndex={-1}>
      <p>
        <Icon name="alert" /> Somebody else changed the same meanwhile. Choose what to keep.
      </p>
      {clashes.map((clash) => (
        <div key={clash.name} className="clash">
          <strong>{labelOf(clash.name)}</strong>
          <span>
            Theirs: <bdi>{shown(clash.theirs)}</bdi>{' '}
            <Button
              onClick={() => {
                onTake(clash);
                onDone(clash.name);
              }}
            >
              Take theirs
            </Button>
          </span>
          <span>
            Yours: <bdi>{shown(clash.mine)}</bdi> <Button onClick={() => onDone(clash.name)}>Keep yours</Button>
          </span>
        </div>
      ))}
    </div>
  );
