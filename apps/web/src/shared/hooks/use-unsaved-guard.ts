import { useBlocker } from '@tanstack/react-router'

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
