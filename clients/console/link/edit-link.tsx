import { useEffect, useMemo, useRef, useState } from 'react';
import { shortAddress, undoOf } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { useEscape } from '../parts/keys.ts';
import { Conflict } from '../parts/kit/conflict.tsx';
import { counted } from '../parts/time.ts';
import { linkAt } from '../service/links.ts';
import { go } from '../service/location.ts';
import type { Tagged } from '../service/settings.ts';
import type { Link } from '../service/types.ts';
import { dropDraft, readDraft, writeDraft } from './drafts.ts';
import { changedFields, labelOf, merge, type Value, type Values, valuesOf } from './fields/fields.ts';
import { LinkForm } from './form.tsx';
import { aboveForm } from './form-failures.ts';
import { save } from './save.ts';
import { useFields } from './use-fields.ts';

/** Changes a link. Unsaved changes are kept until somebody saves or discards them. */
export function EditLink({ version }: { readonly version: Tagged<Link> }) {
  // The version that this person has seen. Somebody else's newer version must not look like this person's change.
  const [base, setBase] = useState(version);
  const before = useMemo(() => valuesOf(base.value), [base]);
  const [start] = useState(() => beginning(base.value.id, before));
  const { values, setValues, change, onChange } = useFields(() => start.values);
  const [clashes, setClashes] = useState(start.clashes);
  const changed = changedFields(values, before);
  const { id } = base.value;
  useEffect(() => {
    // The draft remembers conflicts that are not decided yet.
    const undecided = Object.fromEntries(clashes.map((clash) => [clash.name, clash.before]));
    const began = { ...before, ...undecided };
    writeDraft(localStorage, id, values, changedFields(values, began), began);
  }, [id, values, before, clashes]);
  const leave = () => go({ isEditing: false }, 'replace');
  useEscape(leave, true, 'beside');
  const notice = useRef<HTMLDivElement>(null);
  const submit = async () => {
    // Saving by key must not decide conflicts.
    if (clashes.length > 0) return notice.current?.focus();
    if (changed.length === 0) return leave();
    const isDone = await change.run(async (say) => {
      const saved = await save(values, base, linkAt(id), say);
      if (saved.kind === 'clash') {
        setBase(saved.version);
        setValues(saved.values);
        setClashes(saved.clashes);
        return undefined;
      }
      dropDraft(localStorage, id);
      // A former password is not kept.
      const undo = changed.join() === 'password' ? undefined : undoOf(saved.made, base.value);
      return { text: `${shortAddress(saved.version.value.shortUrl)} is saved.`, undo };
    });
    if (isDone) leave();
  };
  const said = aboveForm(change.failure);
  return (
    <LinkForm
      values={values}
      onChange={onChange}
      changed={changed}
      change={change}
      onSubmit={() => void submit()}
      hasPassword={base.value.hasPassword}
      domain={base.value.domain}
      slugOwner={id}
      ownTags={base.value.tags}
      above={
        <>
          {base.value.managedBy !== null && (
            <p className="notice warning">Managed by {base.value.managedBy}, which may change it back.</p>
          )}
          <Conflict
            notice={notice}
            choices={clashes.map(({ name, mine, theirs }) => ({
              name,
              label: labelOf(name),
              mine: shown(mine),
              theirs: shown(theirs),
            }))}
            onChoose={(name, isTheirs) => {
              const clash = clashes.find((one) => one.name === name);
              setClashes(clashes.filter((one) => one !== clash));
              if (isTheirs && clash) onChange(name, clash.theirs);
            }}
          />
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
            {change.isBusy
              ? change.said || 'Saving…'
              : changed.length > 0
                ? counted(changed.length, 'unsaved change')
                : 'No changes'}
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
          <Button kind="primary" isSubmit disabled={change.isBusy || clashes.length > 0 || changed.length === 0}>
            Save changes
          </Button>
        </>
      }
    />
  );
}

/** The initial values: unsaved changes on top of the current link, and the fields that others have changed since. */
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
