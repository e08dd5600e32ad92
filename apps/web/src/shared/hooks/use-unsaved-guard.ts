import { useBlocker } from '@tanstack/react-router'

/** Blocks navigation and closing the tab while there are unsaved changes. Returns the pending question for a dialog. */
export function useUnsavedGuard(changed: boolean): {
  readonly perguntando: boolean
  readonly sair: () => void
  readonly ficar: () => void
} {
  const bloqueio = useBlocker({ shouldBlockFn: () => changed, enableBeforeUnload: changed, withResolver: true })
  return {
    perguntando: bloqueio.status === 'blocked',
    sair: () => bloqueio.proceed?.(),
    ficar: () => bloqueio.reset?.(),
  }
}
