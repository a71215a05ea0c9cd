import { useState } from 'react';
import { defaultPermissions, type Permission } from '../../../lambdas/core/key/permissions.ts';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { Checks, SelectField, TextField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { ShownOnce } from '../parts/kit/shown-once.tsx';
import { fullTime, localValue, timeOfLocal } from '../parts/time.ts';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import type { Say } from '../service/patience.ts';
import { permissionText } from '../service/permissions.ts';
import { useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { type ApiKey, keyAt } from './list.ts';
import { givable, lives, permissionsText } from './words.ts';

type Editable = Pick<ApiKey, 'id' | 'name' | 'permissions' | 'expiresAt'>;

const empty: Omit<Editable, 'permissions'> = { id: '', name: null, expiresAt: null };
const labels = { name: 'Name', permissions: 'Permissions', expiresAt: 'Expires' };
const valuesOf = ({ name, permissions, expiresAt }: Editable) => ({
  name: name ?? '',
  permissions: permissions as readonly string[],
  expiresAt: localValue(expiresAt),
});
const shown = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value.replace(/^([\d-]+)T([\d:]+)$/, '$1 $2') || 'none' : permissionsText(value);

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
  // The key of a sign-in ends within minutes, but does not limit the keys that a member makes.
  const most = isMember ? null : me.key.expiresAt;
  const [first] = useState(() => apiKey ?? { ...empty, permissions: all.filter((one) => defaultPermissions.includes(one)) });
  const form = useEdited({ value: first, etag: '' }, { calls: keyAt(first.id), valuesOf, labels, shown });
  const { name, permissions: granted, expiresAt: until } = form.values;
  const [life, setLife] = useState<string>(most === null ? '' : 'own');
  const [made, setMade] = useState<string>();
  const change = useChange('keys:write', ['name', 'permissions', 'expiresAt', 'expiresInSeconds']);
  const { wrong } = change;

  const create = async (say: Say): Promise<undefined> => {
    const end = life === 'own' ? {} : life === '' ? { expiresAt: null } : { expiresInSeconds: Number(life) };
    const body = { name: name.trim() || null, permissions: granted as Permission[], ...end };
    const { data } = await keyed('key', body, say, (init) => api.POST('/api/v1/keys', init));
    setMade(data.key);
    keyAt(data.id).refresh();
  };
  const save = (say: Say) => {
    const before = valuesOf(form.base);
    const changes = {
      ...(name.trim() !== before.name && { name: name.trim() || null }),
      ...(granted.join() !== before.permissions.join() && { permissions: granted }),
      ...(until !== before.expiresAt && { expiresAt: timeOfLocal(until) }),
    };
    return form.save(changes, say, () => 'The key is saved. The change takes effect within a minute.');
  };
  if (made !== undefined) return <ShownOnce title="The key is created" what="key" text={made} onClose={onClose} />;
  return (
    <FormDialog
      title={apiKey ? 'Edit the key' : 'Create a key'}
      onClose={onClose}
      change={change}
      edited={form}
      action={apiKey ? 'Save' : 'Create'}
      isReady={granted.length > 0}
      run={apiKey ? save : create}
    >
      <TextField
        label="Name"
        message={wrong.name}
        hint="What it is for, such as CI."
        value={name}
        onText={(text) => form.edit({ name: text })}
      />
      <Checks
        label="Permissions"
        message={wrong.permissions}
        hint="You can only grant permissions that you have."
        className="two-columns"
        choices={all.map((one) => [one, permissionText(one)])}
        chosen={granted}
        onChoose={(permissions) => form.edit({ permissions })}
      />
      {apiKey ? (
        <TextField
          label="Expires"
          message={wrong.expiresAt}
          hint={most === null ? 'Leave it empty for never.' : `No later than your own key: ${fullTime(most)}.`}
          type="datetime-local"
          value={until}
          onText={(text) => form.edit({ expiresAt: text })}
        />
      ) : (
        <SelectField
          label="Expires"
          message={wrong.expiresAt ?? wrong.expiresInSeconds}
          value={life}
          options={[
            ...(most === null ? [] : ([['own', `with your own key, ${fullTime(most)}`]] as const)),
            ...lives
              .filter(([seconds]) => most === null || (seconds !== null && Date.now() + seconds * 1_000 < Date.parse(most)))
              .map(([seconds, text]) => [String(seconds ?? ''), text] as const),
          ]}
          onChoose={setLife}
        />
      )}
    </FormDialog>
  );
}
