import { Icon } from '../parts/icons.tsx';
import { Menu } from '../parts/menu.tsx';
import { openWorkspace, useSession } from '../service/session.ts';
import type { SignedIn } from '../service/sign-in.ts';
import type { Me } from '../service/types.ts';

export const activeIn = ({ workspaces }: SignedIn) => workspaces.filter(({ state }) => state === 'active');

/** The name of the workspace, with a menu of the person's other workspaces. */
export function WorkspaceName({ me }: { readonly me: Me }) {
  const { signedIn } = useSession();
  const all = signedIn ? activeIn(signedIn) : [];
  const name = (
    <>
      <Icon name="links" /> <bdi>{me.workspace.name}</bdi>
    </>
  );
  if (all.length < 2) return <strong className="workspace">{name}</strong>;
  return (
    <Menu
      label={`Workspace ${me.workspace.name}: change`}
      className="workspace-button"
      button={
        <strong className="workspace">
          {name} <span aria-hidden="true">▾</span>
        </strong>
      }
      items={all.map(({ id, name }) => ({
        label: id === me.workspace.id ? `✓ ${name}` : name,
        run: () => id !== me.workspace.id && openWorkspace(id),
      }))}
    />
  );
}
