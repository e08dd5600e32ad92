import type { ConfigInput } from '@balcao/contract/entities/config-input'
import type { Ensaio } from '@balcao/contract/entities/prova'
import { ensaiarConfigRoute } from '@balcao/contract/routes/ensaio'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'

/** 5,000 conversas take at most 30 s on an idle machine. */
const ENSAIO_TIMEOUT_MS = 120_000

export interface ShownEnsaio {
  readonly ensaio: Ensaio
  /** The draft that it compared. A later edit makes it outdated. */
  readonly config: string
}

export function useEnsaio(config: ConfigInput) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [shown, setShown] = useState<ShownEnsaio | null>(null)
  const run = async (dias: number): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const ensaio = await call(ensaiarConfigRoute, { body: { config, dias }, timeoutMs: ENSAIO_TIMEOUT_MS })
      setShown({ ensaio, config: JSON.stringify(config) })
    } catch (failure) {
      setError(errorMessage(failure))
    }
    setBusy(false)
  }
  return { busy, error, shown, isOutdated: shown !== null && shown.config !== JSON.stringify(config), run }
}
