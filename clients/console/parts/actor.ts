/** Who changed something, as an entry of the history says. */
export function actorName({ actor }: { readonly actor: { readonly type: string; readonly name?: string | null } }): string {
  if (actor.type === 'operator') return 'The operator';
  if (actor.type === 'service') return 'The service';
  return actor.name ?? (actor.type === 'key' ? 'A key without a name' : 'A former member');
}
