import type { Aba } from '@balcao/contract/constants'
import { useBlocker } from '@tanstack/react-router'

/** `within`: the parts of this tab share the edits, so a move between them does not lose them. */
export function useUnsavedGuard(
  changed: boolean,
  within?: Aba,
): {
  readonly perguntando: boolean
  readonly sair: () => void
  readonly ficar: () => void
} {
  const bloqueio = useBlocker({
    shouldBlockFn: ({ next }) =>
      changed && !(within !== undefined && next.pathname === '/dashboard' && Object(next.search).aba === within),
    enableBeforeUnload: changed,
    withResolver: true,
  })
  return {
    perguntando: bloqueio.status === 'blocked',
    sair: () => bloqueio.proceed?.(),
    ficar: () => bloqueio.reset?.(),
  }
}
