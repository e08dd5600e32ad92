import './styles.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

// The browser offers to install the panel once, before Minha conta is loaded. `install-offer.ts` takes it: an import of
// that file here would split a file of the first load.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(globalThis, { installOffer: event })
})

const root = document.getElementById('app')
if (root !== null) {
  // As a transition, React yields between chunks of work, so a slow phone still handles input during the first
  // render.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
