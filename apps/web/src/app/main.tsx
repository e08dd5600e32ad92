import './styles.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const raiz = document.getElementById('app')
if (raiz !== null) {
  // In small pieces: what is pressed while a slow phone draws the panel is answered between two of them.
  startTransition(() =>
    createRoot(raiz).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
