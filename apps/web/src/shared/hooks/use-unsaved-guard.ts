import { useBlocker } from '@tanstack/react-router'

/**
 * Keeps a person from losing what they did not save: leaving the page, or the tab of the panel, asks first.
 * Gives the pending question, for a dialog to answer.
 */
export function useUnsavedGuard(alterado: boolean): {
  readonly perguntando: boolean
  readonly sair: () => void
  readonly ficar: () => void
} {
  const bloqueio = useBlocker({ shouldBlockFn: () => alterado, enableBeforeUnload: alterado, withResolver: true })
  return {
    perguntando: bloqueio.status === 'blocked',
    sair: () => bloqueio.proceed?.(),
    ficar: () => bloqueio.reset?.(),
  }
}
