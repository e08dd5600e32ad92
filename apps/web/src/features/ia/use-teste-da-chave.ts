import { validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { CHAVE_MODELOS } from './chaves.ts'
import { focarCampo } from './focar.ts'
import { useModelos } from './use-modelos.ts'

export type EstadoDaChave = 'nenhum' | 'valida' | 'invalida' | 'erro'

interface Teste {
  readonly chave: string
  readonly estado: EstadoDaChave
  readonly motivo: string
  /** The "Restaurar" under which the test ran. */
  readonly restauro: object | undefined
}

export interface ChaveTestada {
  readonly apiKey: string
  /** The stored key, masked. */
  readonly guardada: string
  /** "Restaurar" resets the known state of the key. */
  readonly restauro: object | undefined
}

const RECUSADA = 'API Key inválida'

/**
 * Tests a key at the provider. The stored key counts as valid if it fetched the model list.
 * An unreachable provider gives no result about the key.
 */
export function useTesteDaChave({ apiKey, guardada, restauro }: ChaveTestada) {
  const [teste, setTeste] = useState<Teste | null>(null)
  const { data: modelos } = useModelos()
  const [testando, setTestando] = useState(false)
  const cliente = useQueryClient()

  function terminou(estado: EstadoDaChave, motivo = ''): void {
    setTeste({ chave: apiKey, estado, motivo, restauro })
    if (estado === 'valida') avisar.sucesso('API Key válida!')
    else avisar.erro(estado === 'invalida' ? RECUSADA : `Erro ao validar API Key: ${motivo}`)
  }

  async function testar(): Promise<void> {
    if (testando) return
    if (apiKey === '') {
      focarCampo('apiKey')
      return void avisar.erro('Digite uma API Key para testar')
    }
    setTestando(true)
    try {
      const { valida, erro = RECUSADA } = await call(validarGeminiRoute, { body: { apiKey } })
      terminou(valida ? 'valida' : erro === RECUSADA ? 'invalida' : 'erro', erro)
      // A valid key can also load the provider's model list.
      if (valida) void cliente.invalidateQueries({ queryKey: CHAVE_MODELOS })
    } catch (erro) {
      terminou('erro', mensagemDe(erro))
    }
    setTestando(false)
  }

  // A result counts only for the key and the "Restaurar" it was tested with.
  const deste = teste?.chave === apiKey && teste.restauro === restauro ? teste : null
  const aberta = apiKey !== '' && apiKey === guardada && restauro === undefined && modelos?.doProvedor === true
  const estado: EstadoDaChave = deste?.estado ?? (aberta ? 'valida' : 'nenhum')
  return { estado, motivo: deste?.motivo ?? '', testando, testar }
}
