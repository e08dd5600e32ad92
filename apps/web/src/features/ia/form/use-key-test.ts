import { validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
  readonly motivo: string
  /** The "Restaurar" under which the test ran. */
  readonly restoreId: object | undefined
}

export interface KeyUnderTest {
  readonly apiKey: string
  /** The stored key, masked. */
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
  const [isTest, setTeste] = useState<KeyTestResult | null>(null)
  const { data: modelos } = useModels()
  const [testando, setTestando] = useState(false)
  const cliente = useQueryClient()

  function terminou(estado: KeyState, motivo = ''): void {
    setTeste({ key: apiKey, state: estado, motivo, restoreId })
    if (estado === 'valida') notify.sucesso('API Key válida!')
    else notify.erro(estado === 'invalida' ? KEY_REFUSED : `Erro ao validar API Key: ${motivo}`)
  }

  async function test(): Promise<void> {
    if (testando) return
    if (apiKey === '') {
      focusIaField('apiKey')
      return void notify.erro('Digite uma API Key para testar')
    }
    setTestando(true)
    try {
      const { valida, erro = KEY_REFUSED } = await call(validarGeminiRoute, { body: { apiKey } })
      terminou(valida ? 'valida' : erro === KEY_REFUSED ? 'invalida' : 'erro', erro)
      // A valid key can also load the provider's model list.
      if (valida) void cliente.invalidateQueries({ queryKey: MODELS_KEY })
    } catch (error) {
      terminou('erro', errorMessage(error))
    }
    setTestando(false)
  }

  // A result counts only for the key and the "Restaurar" it was tested with.
  const deste = isTest?.key === apiKey && isTest.restoreId === restoreId ? isTest : null
  const open = apiKey !== '' && apiKey === stored && restoreId === undefined && modelos?.doProvedor === true
  const estado: KeyState = deste?.state ?? (open ? 'valida' : 'nenhum')
  return { estado, motivo: deste?.motivo ?? '', testando, testar: test }
}
