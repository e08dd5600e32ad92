import type { IaConfig } from '@balcao/contract/entities/config'
import { testarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { USAGE_KEY } from '#features/ia/query-keys.ts'
import { focusIaField } from '#features/ia/form/focus-field.ts'

export type TestOutcome =
  | { readonly tipo: 'pensando' }
  | { readonly tipo: 'respondida'; readonly resposta: string; readonly duracaoMs: number }
  | { readonly tipo: 'falhou'; readonly mensagem: string; readonly chave: boolean }

export interface TestRound {
  readonly id: number
  readonly pergunta: string
  readonly outcome: TestOutcome
}

/** The server waits 15 s for the provider, so its own error text arrives before this timeout. */
const TEST_TIMEOUT_MS = 25_000

function failureOf(error: unknown): TestOutcome {
  const doServidor = error instanceof ApiError ? error.codigo : ''
  const mensagem = errorMessage(error)
  return {
    tipo: 'falhou',
    mensagem,
    chave: doServidor === 'iaSemChave' || (doServidor === 'iaFalhou' && /chave|api key/i.test(mensagem)),
  }
}

export function useIaTest(ia: IaConfig) {
  const [rodadas, setRodadas] = useState<readonly TestRound[]>([])
  const cliente = useQueryClient()
  const ocupado = rodadas.some(({ outcome }) => outcome.tipo === 'pensando')

  async function run(id: number, pergunta: string): Promise<void> {
    const terminar = (desfecho: TestOutcome): void =>
      setRodadas((current) => current.map((round) => (round.id === id ? { ...round, outcome: desfecho } : round)))
    try {
      const { resposta, duracaoMs } = await call(testarGeminiRoute, {
        body: { pergunta, ia: { ...ia, apiKey: ia.apiKey.trim() } },
        timeoutMs: TEST_TIMEOUT_MS,
      })
      terminar({ tipo: 'respondida', resposta, duracaoMs })
      notify.sucesso('Teste da IA concluído!')
    } catch (error) {
      terminar(failureOf(error))
      notify.erro(`Erro ao testar IA: ${errorMessage(error)}`)
    }
    void cliente.invalidateQueries({ queryKey: USAGE_KEY })
  }

  /** Returns whether the question was sent. */
  function perguntar(escrita: string): boolean {
    const pergunta = escrita.trim()
    if (ocupado) return false
    if (ia.apiKey.trim() === '') {
      focusIaField('apiKey')
      notify.erro('Configure uma API Key válida primeiro')
      return false
    }
    if (pergunta === '') {
      notify.erro('Digite uma pergunta para testar')
      return false
    }
    const id = rodadas.length
    setRodadas([...rodadas, { id, pergunta, outcome: { tipo: 'pensando' } }])
    void run(id, pergunta)
    return true
  }

  /** Repeats a question in its row with the current settings. */
  function repeat({ id, pergunta }: TestRound): void {
    if (ocupado) return
    setRodadas(rodadas.map((round) => (round.id === id ? { ...round, outcome: { tipo: 'pensando' } } : round)))
    void run(id, pergunta)
  }

  return { rodadas, ocupado, perguntar, repetir: repeat, limpar: () => setRodadas([]) }
}
