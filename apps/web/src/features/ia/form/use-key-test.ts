import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { MODELS_KEY } from '#features/ia/query-keys.ts'
import { focusIaField } from './focus-field.ts'
import { useModels } from './use-models.ts'

export type KeyState = 'nenhum' | 'valida' | 'invalida' | 'erro'

interface KeyTestResult {
  readonly key: string
  readonly state: KeyState
  readonly reason: string
  /** The "Restaurar" under which the test ran. */
  readonly restoreId: object | undefined
}

export interface KeyUnderTest {
  readonly apiKey: string
  readonly stored: string
  /** "Restaurar" resets the known state of the key. */
  readonly restoreId: object | undefined
}

const KEY_REFUSED = 'API Key inválida'

/**
 * Tests a key at the provider. The stored key counts as valid if it fetched the model list.
 * An unreachable provider gives no result about the key.
 */
export function useKeyTest({ apiKey, stored, restoreId }: KeyUnderTest) {
  const [result, setResult] = useState<KeyTestResult | null>(null)
  const { data: models } = useModels()
  const [testing, setTesting] = useState(false)
  const client = useQueryClient()

  function finish(state: KeyState, reason = ''): void {
    setResult({ key: apiKey, state, reason, restoreId })
    if (state === 'valida') notify.sucesso('API Key válida!')
    else notify.erro(state === 'invalida' ? KEY_REFUSED : `Erro ao validar API Key: ${reason}`)
  }

  async function test(): Promise<void> {
    if (testing) return
    if (apiKey === '') {
      focusIaField('apiKey')
      return void notify.erro('Digite uma API Key para testar')
    }
    setTesting(true)
    try {
      const { valida, erro = KEY_REFUSED } = await call(validarGeminiRoute, { body: { apiKey } })
      finish(valida ? 'valida' : erro === KEY_REFUSED ? 'invalida' : 'erro', erro)
      // A valid key can also load the provider's model list.
      if (valida) void client.invalidateQueries({ queryKey: MODELS_KEY })
    } catch (error) {
      finish('erro', errorMessage(error))
    }
    setTesting(false)
  }

  const storedWorks = models?.doProvedor === true
  return { ...currentResult({ apiKey, stored, restoreId }, result, storedWorks), testing, test }
}

function currentResult(
  { apiKey, stored, restoreId }: KeyUnderTest,
  result: KeyTestResult | null,
  storedWorks: boolean,
) {
  // A result counts only for the key and the "Restaurar" it was tested with.
  if (result?.key === apiKey && result.restoreId === restoreId) return { state: result.state, reason: result.reason }
  const works = storedWorks && apiKey !== '' && apiKey === stored && restoreId === undefined
  const state: KeyState = works ? 'valida' : 'nenhum'
  return { state, reason: '' }
}
