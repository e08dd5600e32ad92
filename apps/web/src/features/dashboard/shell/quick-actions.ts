import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import type { ActionDeps } from './run-actions.ts'

export type QuickAction = 'setup' | 'limpar' | 'recarregar' | 'verificar'

export interface QuickActions {
  readonly running: QuickAction | null
  readonly quickSetup: () => Promise<void>
  readonly clear: () => Promise<void>
  readonly reload: () => Promise<void>
  readonly check: () => Promise<void>
}

export function useQuickActions(deps: Pick<ActionDeps, 'config' | 'bot' | 'goToGeral'>): QuickActions {
  const client = useQueryClient()
  const [inFlight, setInFlight] = useState<QuickAction | null>(null)

  const run = (acao: QuickAction) => async (): Promise<void> => {
    if (inFlight !== null) return
    setInFlight(acao)
    try {
      const actions = await import('./run-actions.ts')
      await actions[acao]({ ...deps, client })
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setInFlight(null)
  }

  return {
    running: inFlight,
    quickSetup: run('setup'),
    clear: run('limpar'),
    reload: run('recarregar'),
    check: run('verificar'),
  }
}
