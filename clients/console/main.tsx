import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Boundary, endReload } from './parts/boundary.tsx';
import { showTheme } from './parts/theme.ts';
import { Toasts } from './parts/toasts.tsx';
import { sayWaits } from './parts/waits.ts';
import { queries } from './service/queries.ts';
import { onNews, startSession, takeFromAddress } from './service/session.ts';
import { App } from './shell/app.tsx';

takeFromAddress();
window.addEventListener('hashchange', takeFromAddress);
void startSession();
showTheme();
sayWaits(queries);
onNews((news) => {
  if (news === 'role') return void queries.invalidateQueries();
  queries.clear();
  document.title = 'Links';
});

const element = document.getElementById('console');
if (element) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Boundary>
          <App />
        </Boundary>
        <Boundary>
          <Toasts />
        </Boundary>
        <div id="announced" className="hidden" role="status" />
      </QueryClientProvider>
    </StrictMode>,
  );
  // After it has worked for a while, the page may reload itself again for the next deployment.
  setTimeout(endReload, 30_000);
}
