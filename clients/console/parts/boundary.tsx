import { Component, type ReactNode } from 'react';

const reloadedPlace = 'links-reloaded';

/** Whether an error says that a file of the console is gone, because a deployment has replaced it. */
const isLostFile = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script failed|importing a module/i.test(error.message);

/** A part of the page that fails says so, instead of leaving the page blank. (React catches errors only in classes.) */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (!isLostFile(error)) return;
    // Once by itself. If that does not help, the person decides.
    if (sessionStorage.getItem(reloadedPlace) !== null) return;
    sessionStorage.setItem(reloadedPlace, String(Date.now()));
    location.reload();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="notice" role="alert">
        <p>{isLostFile(error) ? 'A new version is here.' : 'This part of the page failed. Nothing that you saved is lost.'}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}

/** Forgets that the page has reloaded itself: it works again. */
export const endReload = (): void => sessionStorage.removeItem(reloadedPlace);
