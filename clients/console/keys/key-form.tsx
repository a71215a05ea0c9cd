import { type FormEvent, useState } from 'react';
import { defaultPermissions, type Permission } from '../../../lambdas/core/key/permissions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { Button } from '../parts/kit/button.tsx';
import { fullTime, localValue, timeOfLocal } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { type ApiKey, refreshKeys } from './list.ts';
import { givable, lives } from './words.ts';

type KeyFormProps = {
  readonly me: Me;
  /** The key to change; none for a new one. */
  readonly apiKey?: ApiKey;
  readonly onClose: () => void;
};

/** Creates a key, and shows it; or changes one. It offers only what the key in use may give. */
export function KeyForm({ me, apiKey, onClose }: KeyFormProps) {
  const all = givable(me);
  const isMember = useSession().signedIn !== undefined;
  // The key of a sign-in ends within minutes, and bounds nothing that a member makes.
  const most = isMember ? null : me.key.expiresAt;
  const [name, setName] = useState(apiKey?.name ?? '');
  const [granted, grant] = useState<readonly string[]>(
    apiKey?.permissions ?? all.filter((one) => defaultPermissions.includes(one)),
  );
  const [life, setLife] = useState<string>(most === null ? '' : 'own');
  const [until, setUntil] = useState(localValue(apiKey?.expiresAt ?? null));
  const [made, setMade] = useState<string>();
  const { isBusy, wrong, note, run } = useAction('keys:write', ['name', 'permissions', 'expiresAt', 'expiresInSeconds']);

  const create = async (say: Say) => {
    const end = life === 'own' ? {} : life === '' ? { expiresAt: null } : { expiresInSeconds: Number(life) };
    const body = { name: name.trim() || null, permissions: granted as Permission[], ...end };
    const { data } = await keyed('key', body, (key) => {
      const init = { params: { header: { 'Idempotency-Key': key } }, body };
      return untilAnswered(() => api.POST('/api/v1/keys', init), say);
    });
    setMade(data.key);
    refreshKeys();
  };
  const change = async ({ id, ...before }: ApiKey, say: Say) => {
    const body = {
      ...((name.trim() || null) !== before.name && { name: name.trim() || null }),
      ...(granted.join() !== before.permissions.join() && { permissions: granted as Permission[] }),
      ...(until !== localValue(before.expiresAt) && { expiresAt: timeOfLocal(until) }),
    };
    if (Object.keys(body).length > 0) {
      await untilAnswered(() => api.PATCH('/api/v1/keys/{id}', { params: { path: { id } }, body }), say);
      toast('The key is changed. It takes effect within a minute.', { tone: 'good' });
      refreshKeys();
    }
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((say) => (apiKey ? change(apiKey, say) : create(say)));
  };
  if (made !== undefined) return <ShownOnce title="The key is created" what="key" text={made} onClose={onClose} />;
  return (
    <Dialog title={apiKey ? 'Change the key' : 'Create a key'} onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={submit}>
        <Field label="Name" message={wrong.name} hint="What it is for, such as CI.">
          {(described) => (
            <input {...described} value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <fieldset className="plain stack">
          <legend className="label">It may</legend>
          <div className="two-columns">
            {all.map((permission) => (
              <label key={permission} className="check">
                <input
                  type="checkbox"
                  checked={granted.includes(permission)}
                  onChange={() =>
                    grant(granted.includes(permission) ? granted.filter((one) => one !== permission) : [...granted, permission])
                  }
                />
                {permission}
              </label>
            ))}
          </div>
          {granted.length === 0 && <p className="field-error">Choose at least one.</p>}
          {wrong.permissions && <p className="field-error">These {wrong.permissions}.</p>}
          <p className="small">Nobody gives what they lack, so only your own permissions are offered.</p>
        </fieldset>
        {apiKey ? (
          <Field
            label="It ends"
            message={wrong.expiresAt}
            hint={most === null ? 'Empty: never.' : `At the latest with your own key, ${fullTime(most)}.`}
          >
            {(described) => (
              <input {...described} type="datetime-local" value={until} onChange={(event) => setUntil(event.target.value)} />
            )}
          </Field>
        ) : (
          <Field label="It ends" message={wrong.expiresAt ?? wrong.expiresInSeconds}>
            {(described) => (
              <select {...described} value={life} onChange={(event) => setLife(event.target.value)}>
                {most !== null && <option value="own">with your own key, {fullTime(most)}</option>}
                {lives
                  .filter(([seconds]) => most === null || (seconds !== null && Date.now() + seconds * 1_000 < Date.parse(most)))
                  .map(([seconds, text]) => (
                    <option key={text} value={seconds ?? ''}>
                      {text}
                    </option>
                  ))}
              </select>
            )}
          </Field>
        )}
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || granted.length === 0}>
            {isBusy ? 'Saving…' : apiKey ? 'Save' : 'Create'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
