type Changed = { readonly actor: { readonly type: string; readonly name?: string | null } };

/** Who changed something, according to an entry of the history. Only people are named without a kind. */
export function actorName({ actor: { type, name } }: Changed): string {
  if (type === 'operator') return 'The operator';
  if (type === 'service') return 'The service';
  if (type === 'key') return `${name ?? 'Unnamed'} (API key)`;
  return name ?? 'A former member';
}

/** The command with which the operator changed something, such as `keys revoke`; undefined for everybody else. */
export const commandOf = ({ actor: { type, name } }: Changed): string | undefined =>
  type === 'operator' ? (name ?? undefined) : undefined;
