import { validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { CHAVE_MODELOS } from './chaves.ts'
import { focarCampo } from './focar.ts'

export type EstadoDaChave = 'nenhum' | 'valida' | 'invalida' | 'erro'

interface Teste {
  readonly chave: string
  readonly estado: EstadoDaChave
  /** What is known of a test that could not be made. */
  readonly motivo: string
}

const RECUSADA = 'API Key inválida'

/** Asks the provider about a key. A provider that cannot be asked says nothing about the key. */
export function useTesteDaChave(apiKey: string) {
  const [teste, setTeste] = useState<Teste>({ chave: '', estado: 'nenhum', motivo: '' })
  const [testando, setTestando] = useState(false)
  const cliente = useQueryClient()

  function terminou(estado: EstadoDaChave, motivo = ''): void {
    setTeste({ chave: apiKey, estado, motivo })
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
      // A key that opens also opens the provider's list.
      if (valida) void cliente.invalidateQueries({ queryKey: CHAVE_MODELOS })
    } catch (erro) {
      terminou('erro', mensagemDe(erro))
    }
    setTestando(false)
  }

  // What was found of one key says nothing of another.
  const { estado, motivo }: Omit<Teste, 'chave'> = teste.chave === apiKey ? teste : { estado: 'nenhum', motivo: '' }
  return { estado, motivo, testando, testar }
}
